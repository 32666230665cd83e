"""Traces in memory."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from goalspec import _core
from goalspec._diagnostics import Diagnostic
from goalspec._library import Library, Path, Program, load

_CALL = re.compile(r"([^()\s]+)\(([^()]*)\)")
_COMPONENTS = ("x", "y", "z")


def world_of(world: str | Program | Library | Trace) -> _core.World:
    """Return the world that is named, or that of a program, of the programs of a library, or of a trace."""
    if isinstance(world, Trace):
        return world._core.world
    if isinstance(world, Program):
        found = world._core.program_world(world._index)
        if found is None:
            raise ValueError(f"the world of `{world.name}` is unknown")
        return found
    if isinstance(world, Library):
        worlds = world._core.program_worlds()
        if len(worlds) != 1:
            names = ", ".join(f"`{one.name}`" for one in worlds) or "none"
            raise ValueError(f"expected a library of programs of one world, found {names}; pass one of its programs")
        return worlds[0]
    built_in = _core.built_in_world(world)
    if built_in is not None:
        return built_in
    if os.path.exists(world):
        return world_of(load(world))
    raise KeyError(f"unknown world `{world}`: expected a built-in world, a file, a program or a library")


def column_name(name: str) -> str:
    """Return the name of a column in prefix notation: ``(on tray cup_1)`` for ``on(tray, cup_1)``."""
    call = _CALL.fullmatch(name.strip())
    if call is None:
        return name
    return "(" + " ".join([call[1], *call[2].replace(",", " ").split()]) + ")"


def _column(name: str, values: Any) -> tuple[list[str], npt.NDArray[np.float64]]:
    """Return the names and the numbers of the columns of one entry; cells that are masked are NaN."""
    array = np.ma.asarray(values)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"column `{name}`: expected numbers or truth values, found {array.dtype}")
    numbers = np.asarray(np.ma.filled(array.astype(np.float64), np.nan))
    if numbers.ndim == 1:
        return [column_name(name)], numbers[:, np.newaxis]
    if numbers.ndim == 2 and numbers.shape[1] == len(_COMPONENTS):
        return [f"{name}.{component}" for component in _COMPONENTS], numbers
    raise ValueError(f"column `{name}`: expected the shape (states,) or (states, 3), found {numbers.shape}")


class Trace:
    """The states of one run, in memory.

    A trace is a sequence of dictionaries with the fields of the trace format. Each is the difference from the state before it, and the
    first one is complete.
    """

    def __init__(self, core: _core.Trace) -> None:
        self._core = core

    @classmethod
    def read(cls, source: Path | bytes, world: str | Program | Library | None = None) -> Trace:
        """Read a trace of any format from a path, or from the contents of a file.

        Args:
            source: A path, also of a bundled example, or bytes.
            world: The world of the states; by default the built-in world that fits.

        Raises:
            TraceError: If the trace cannot be read, or is not of the world.
        """
        core_world = None if world is None else world_of(world)
        return cls(_core.Trace.read(source if isinstance(source, bytes) else os.fspath(source), core_world))

    @classmethod
    def from_states(
        cls, world: str | Program | Library | Trace, states: Iterable[Mapping[str, Any]], *, name: str = "<states>"
    ) -> Trace:
        """Create a trace of states given as dictionaries, each the difference from the one before it.

        Args:
            world: The world of the states.
            states: Dictionaries with the fields ``set``, ``facts``, ``not``, ``fluents``, ``removed``, ``t`` and ``action``.
            name: The name of the trace in messages.

        Raises:
            TraceError: If a state is not one of the world; its number is ``state``.
        """
        return cls(_core.Trace.from_states(world_of(world), states, name))

    @classmethod
    def from_columns(
        cls,
        world: str | Program | Library | Trace,
        columns: Mapping[str, Any],
        *,
        time: npt.ArrayLike | None = None,
        action: Sequence[str | None] | None = None,
        name: str = "<columns>",
    ) -> Trace:
        """Create a trace from columns of equal length, one row for each state.

        Args:
            world: The world of the states.
            columns: Arrays by name: ``cup_1.water`` for a number or truth value of an object, ``hand.position`` for a vector (an array of
                the shape (states, 3)), ``on(tray, cup_1)`` for a stored fact and ``battery(hand)`` for a stored function. A cell that is
                masked or NaN is as before, and unknown before the first value.
            time: The time of each state in seconds.
            action: The action that led to each state.
            name: The name of the trace in messages.

        Raises:
            KeyError: If the world has no such column; the message suggests the nearest name.
            TypeError: If the values of a column are not numbers.
            ValueError: If lengths or shapes differ.
            TraceError: If a number is not a value of its column: a fraction for an int, or 2 for a truth value.
        """
        names: list[str] = []
        parts: list[npt.NDArray[np.float64]] = []
        for column, values in columns.items():
            own, numbers = _column(column, values)
            if parts and len(numbers) != len(parts[0]):
                raise ValueError(f"column `{column}`: expected {len(parts[0])} states, found {len(numbers)}")
            names += own
            parts.append(numbers)
        if not parts:
            raise ValueError("expected at least one column")
        times = None if time is None else np.asarray(time, dtype=np.float64).tolist()
        actions = None if action is None else list(action)
        rows = np.ascontiguousarray(np.hstack(parts))
        return cls(_core.Trace.from_columns(world_of(world), names, rows, times, actions, name))

    @property
    def world(self) -> str:
        """The name of the world."""
        return self._core.world.name

    @property
    def name(self) -> str:
        """The name of the trace in messages and reports."""
        return self._core.name

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The remarks of the reader."""
        return self._core.diagnostics()

    def save(self, path: Path) -> None:
        """Write the trace to a file; the extension ``.jsonl``, ``.jsonl.gz``, ``.jsonl.zst`` or ``.parquet`` selects the format."""
        self._core.save(os.fspath(path))

    def __len__(self) -> int:
        return len(self._core)

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...

    def __getitem__(self, index: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(index, slice):
            return [self._core.state(place) for place in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"the trace has {len(self)} states, found index {index}")
        return self._core.state(place)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self._core.state(index) for index in range(len(self)))

    def to_list(self) -> list[dict[str, Any]]:
        """Return the states as dictionaries, from which ``from_states`` makes the same trace."""
        return list(self)

    def __repr__(self) -> str:
        return f"<goalspec.Trace {self.name!r} of {self.world!r} with {len(self)} states>"


def convert(source: Path | bytes, target: Path, world: str | Program | Library | None = None) -> None:
    """Convert a trace to the format that the name of ``target`` selects; see ``Trace.save``.

    Raises:
        TraceError: If the trace cannot be read or written.
    """
    Trace.read(source, world).save(target)
