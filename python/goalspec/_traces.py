"""Traces in memory."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from goalspec import _core, _optional
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


# A world by which a trace is pickled: the name of a built-in one, or its program or library.
_Source = str | Program | Library


def source_of(world: str | Program | Library | Trace) -> _Source | None:
    """Return the world in a form that can be pickled."""
    if isinstance(world, Trace):
        return world._source
    if isinstance(world, str) and _core.built_in_world(world) is None:
        return load(world)
    return world


def column_name(name: str) -> str:
    """Return the name of a column in prefix notation: ``(on tray cup_1)`` for ``on(tray, cup_1)``."""
    call = _CALL.fullmatch(name.strip())
    if call is None:
        return name
    return "(" + " ".join([call[1], *call[2].replace(",", " ").split()]) + ")"


def _column(name: str, values: Any, copy: bool) -> tuple[list[str], npt.NDArray[np.float64]]:
    """Return the names and the numbers of the columns of one entry; cells that are masked are NaN."""
    array = np.ma.asarray(values)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"column `{name}`: expected numbers or truth values, found {array.dtype}")
    if not copy and (type(values) is not np.ndarray or array.dtype != np.float64):
        found = f"{type(values).__name__} of {array.dtype}"
        raise ValueError(f"column `{name}`: expected a numpy array of float64 with copy=False, found {found}")
    numbers = np.asarray(np.ma.filled(array.astype(np.float64, copy=False), np.nan))
    if numbers.ndim == 1:
        return [column_name(name)], numbers[:, np.newaxis]
    if numbers.ndim == 2 and numbers.shape[1] == len(_COMPONENTS):
        return [f"{name}.{component}" for component in _COMPONENTS], numbers
    raise ValueError(f"column `{name}`: expected the shape (states,) or (states, 3), found {numbers.shape}")


class Trace:
    """The states of one run, in memory.

    A trace is a sequence of dictionaries with the fields of the trace format. Each is the difference from the state before it, and the
    first one is complete. It is pickled with its states and its world.

    >>> import goalspec
    >>> world = '''name = "tank"
    ... [types]
    ... tank = {}
    ... [objects]
    ... tank = { type = "tank", name = "tank" }
    ... [attributes]
    ... level = { kind = "real", of = "tank" }'''
    >>> tank = goalspec.loads(world, name="tank.world.toml")
    >>> trace = goalspec.Trace.from_columns(tank, {"tank.level": [0.0, 1.5]})
    >>> len(trace), trace[1]
    (2, {'set': {'tank': {'level': 1.5}}})
    """

    def __init__(self, core: _core.Trace, source: _Source | None = None) -> None:
        self._core = core
        self._source = source

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
        core = _core.Trace.read(source if isinstance(source, bytes) else os.fspath(source), core_world)
        return cls(core, None if world is None else source_of(world))

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

        >>> import goalspec
        >>> world = '''name = "tank"
        ... [types]
        ... tank = {}
        ... [objects]
        ... tank = { type = "tank", name = "tank" }
        ... [attributes]
        ... level = { kind = "real", of = "tank" }'''
        >>> tank = goalspec.loads(world, name="tank.world.toml")
        >>> goalspec.Trace.from_states(tank, [{"set": {"tank": {"level": 1}}}, {}]).to_list()
        [{'set': {'tank': {'level': 1.0}}}, {}]
        """
        return cls(_core.Trace.from_states(world_of(world), states, name), source_of(world))

    @classmethod
    def from_columns(
        cls,
        world: str | Program | Library | Trace,
        columns: Mapping[str, Any],
        *,
        time: npt.ArrayLike | None = None,
        action: Sequence[str | None] | None = None,
        name: str = "<columns>",
        copy: bool = True,
    ) -> Trace:
        """Create a trace from columns of equal length, one row for each state.

        Args:
            world: The world of the states.
            columns: Arrays by name: ``cup_1.water`` for a number or truth value of an object, ``hand.position`` for a vector (an array of
                the shape (states, 3)), ``on(tray, cup_1)`` for a stored fact and ``battery(hand)`` for a stored function. A cell that is
                masked or NaN is as before, and unknown before the first value. All types of numbers and all strides are taken.
            time: The time of each state in seconds.
            action: The action that led to each state.
            name: The name of the trace in messages.
            copy: Whether columns of other types than float64 and masked arrays are converted, which copies them; otherwise they are
                refused. Other columns are read where they are.

        Raises:
            KeyError: If the world has no such column; the message suggests the nearest name.
            TypeError: If the values of a column are not numbers.
            ValueError: If lengths or shapes differ, or a copy is refused.
            TraceError: If a number is not a value of its column: a fraction for an int, or 2 for a truth value.

        >>> import goalspec
        >>> world = '''name = "tank"
        ... [types]
        ... tank = {}
        ... [objects]
        ... tank = { type = "tank", name = "tank" }
        ... [attributes]
        ... level = { kind = "real", of = "tank" }'''
        >>> tank = goalspec.loads(world, name="tank.world.toml")
        >>> goalspec.Trace.from_columns(tank, {"tank.level": [0.0, float("nan"), 1.5]}, time=[0, 1, 2])[1]
        {'t': 1.0}
        """
        names: list[str] = []
        parts: list[npt.NDArray[np.float64]] = []
        for column, values in columns.items():
            own, numbers = _column(column, values, copy)
            if parts and len(numbers) != len(parts[0]):
                raise ValueError(f"column `{column}`: expected {len(parts[0])} states, found {len(numbers)}")
            names += own
            parts.append(numbers)
        if not parts:
            raise ValueError("expected at least one column")
        times = None if time is None else np.asarray(time, dtype=np.float64).tolist()
        actions = None if action is None else list(action)
        core = _core.Trace.from_columns(world_of(world), names, parts, times, actions, name)
        return cls(core, source_of(world))

    @classmethod
    def from_arrow(cls, world: str | Program | Library | Trace, table: Any, *, name: str = "<arrow>") -> Trace:
        """Create a trace from a table in the layout of Parquet traces: one row for each entry of a state.

        Args:
            world: The world of the states.
            table: A ``pyarrow.Table``, a data frame, or another object with ``__arrow_c_stream__``.
            name: The name of the trace in messages.

        Raises:
            KeyError: If a column is missing.
            TypeError: If the object is no Arrow table, or a column is of another type.
            ValueError: If the table has several traces; see ``TraceBatch.from_arrow``.
            TraceError: If the rows are not states of the world.

        >>> import goalspec
        >>> world = '''name = "tank"
        ... [types]
        ... tank = {}
        ... [objects]
        ... tank = { type = "tank", name = "tank" }
        ... [attributes]
        ... level = { kind = "real", of = "tank" }'''
        >>> tank = goalspec.loads(world, name="tank.world.toml")
        >>> trace = goalspec.Trace.from_columns(tank, {"tank.level": [0.0, 1.5]})
        >>> goalspec.Trace.from_arrow(tank, trace).to_list() == trace.to_list()
        True
        """
        return cls(_core.Trace.from_arrow(world_of(world), table, name), source_of(world))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the rows of the trace, in the layout of Parquet traces, as an Arrow C stream."""
        return self._core.table().__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> Any:
        """Return the rows of the trace as a ``pyarrow.Table``. Raises ``ImportError`` if pyarrow is not installed."""
        return _optional.to_arrow(self)

    def to_pandas(self) -> Any:
        """Return the rows of the trace as a ``pandas.DataFrame``. Raises ``ImportError`` if pandas or pyarrow is not installed."""
        return _optional.to_pandas(self)

    def to_polars(self) -> Any:
        """Return the rows of the trace as a ``polars.DataFrame``. Raises ``ImportError`` if polars is not installed."""
        return _optional.to_polars(self)

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

    def __reduce__(self) -> tuple[Any, ...]:
        source = self.world if self._source is None else self._source
        if isinstance(source, str) and _core.built_in_world(source) is None:
            raise TypeError(f"the trace cannot be pickled: the program of its world `{self.world}` is unknown")
        return _trace_from_bytes, (self._core.to_bytes(), source, self.name)

    def __repr__(self) -> str:
        return f"<goalspec.Trace {self.name!r} of {self.world!r} with {len(self)} states>"


def _trace_from_bytes(data: bytes, source: _Source, name: str) -> Trace:
    if data.count(b"\n") < 2:
        return Trace.from_states(source, [], name=name)
    return Trace(_core.Trace.from_bytes(data, world_of(source), name), source)


class TraceBatch(Sequence[Trace]):
    """Traces that are read and written as one table: a column ``trace`` has the key of the trace of each row, its name.

    >>> import goalspec
    >>> world = '''name = "tank"
    ... [types]
    ... tank = {}
    ... [objects]
    ... tank = { type = "tank", name = "tank" }
    ... [attributes]
    ... level = { kind = "real", of = "tank" }'''
    >>> tank = goalspec.loads(world, name="tank.world.toml")
    >>> runs = [goalspec.Trace.from_columns(tank, {"tank.level": [level]}, name=f"run {level}") for level in (0.0, 1.5)]
    >>> goalspec.TraceBatch.from_arrow(tank, goalspec.TraceBatch(runs)).keys
    ['run 0.0', 'run 1.5']
    """

    def __init__(self, traces: Iterable[Trace]) -> None:
        self._traces = list(traces)

    @classmethod
    def from_arrow(cls, world: str | Program | Library | Trace, table: Any) -> TraceBatch:
        """Create the traces of a table in the layout of Parquet traces with a column ``trace``. The rows of a trace follow one another.

        Args:
            world: The world of the states.
            table: A ``pyarrow.Table``, a data frame, or another object with ``__arrow_c_stream__``.

        Raises:
            As ``Trace.from_arrow``.
        """
        source = source_of(world)
        return cls(Trace(core, source) for core in _core.traces_from_arrow(world_of(world), table))

    @property
    def keys(self) -> list[str]:
        """The keys of the traces, which are their names."""
        return [trace.name for trace in self._traces]

    @overload
    def __getitem__(self, index: int) -> Trace: ...

    @overload
    def __getitem__(self, index: slice) -> TraceBatch: ...

    def __getitem__(self, index: int | slice) -> Trace | TraceBatch:
        return TraceBatch(self._traces[index]) if isinstance(index, slice) else self._traces[index]

    def __len__(self) -> int:
        return len(self._traces)

    def __iter__(self) -> Iterator[Trace]:
        return iter(self._traces)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the rows of the traces, with the column ``trace``, as an Arrow C stream."""
        return _core.trace_table([trace._core for trace in self._traces]).__arrow_c_stream__(requested_schema)

    def to_arrow(self, by: str = "entry") -> Any:
        """Return the traces as a ``pyarrow.Table``.

        Args:
            by: ``"entry"`` for the layout of Parquet traces, a row for each entry of a state, or ``"trace"`` for a row for each trace: its key
                in the column ``trace``, and its states as JSON Lines in the column ``states``. Data sets that are split into batches, as
                those of ``goalspec.ray`` and ``goalspec.spark``, need a row for each trace.

        Raises:
            ValueError: If there is no such layout.
            ImportError: If pyarrow is not installed.
        """
        if by == "entry":
            return _optional.to_arrow(self)
        if by != "trace":
            raise ValueError(f"unknown layout `{by}`: expected `entry` or `trace`")
        pyarrow = _optional.require("pyarrow", "arrow")
        texts = [trace._core.to_bytes() for trace in self._traces]
        return pyarrow.table({"trace": self.keys, "states": pyarrow.array(texts, pyarrow.binary())})

    def to_pandas(self) -> Any:
        """Return the rows of the traces as a ``pandas.DataFrame``. Raises ``ImportError`` if pandas or pyarrow is not installed."""
        return _optional.to_pandas(self)

    def to_polars(self) -> Any:
        """Return the rows of the traces as a ``polars.DataFrame``. Raises ``ImportError`` if polars is not installed."""
        return _optional.to_polars(self)

    def __repr__(self) -> str:
        return f"<goalspec.TraceBatch of {len(self)} traces>"


def read_traces(
    path: Path, world: str | Program | Library | Trace | None = None, batch: int = 1024
) -> Iterator[TraceBatch]:
    """Read many traces from one Parquet table, whose column ``trace``, a text or an integer, has the key of the trace of each row.

    The rows of a trace follow one another. One batch is in memory at a time. A table without this column has one trace.

    Args:
        path: The path of the table.
        world: The world of the states; by default the built-in world that the metadata of the table name.
        batch: The maximum number of traces of a batch.

    Raises:
        TraceError: If the table cannot be read, or is not of the world.
        ValueError: If the world is unknown.

    >>> import goalspec
    >>> world = '''name = "tank"
    ... [types]
    ... tank = {}
    ... [objects]
    ... tank = { type = "tank", name = "tank" }
    ... [attributes]
    ... level = { kind = "real", of = "tank" }'''
    >>> tank = goalspec.loads(world, name="tank.world.toml")
    >>> import tempfile
    >>> trace = goalspec.Trace.from_columns(tank, {"tank.level": [0.0, 1.5]})
    >>> with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
    ...     trace.save(file.name)
    ...     [len(batch[0]) for batch in goalspec.read_traces(file.name, tank)]
    [2]
    """
    if batch < 1:
        raise ValueError(f"expected a batch of at least 1 trace, found {batch}")
    source = None if world is None else source_of(world)
    reader = _core.TraceFile(os.fspath(path), None if world is None else world_of(world))

    def batches() -> Iterator[TraceBatch]:
        while traces := reader.read(batch):
            yield TraceBatch(Trace(core, source) for core in traces)

    return batches()


def convert(source: Path | bytes, target: Path, world: str | Program | Library | None = None) -> None:
    """Convert a trace to the format that the name of ``target`` selects; see ``Trace.save``.

    Raises:
        TraceError: If the trace cannot be read or written.

    >>> import goalspec
    >>> world = '''name = "tank"
    ... [types]
    ... tank = {}
    ... [objects]
    ... tank = { type = "tank", name = "tank" }
    ... [attributes]
    ... level = { kind = "real", of = "tank" }'''
    >>> tank = goalspec.loads(world, name="tank.world.toml")
    >>> import tempfile
    >>> trace = goalspec.Trace.from_columns(tank, {"tank.level": [0.0, 1.5]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     trace.save(f"{folder}/run.jsonl")
    ...     goalspec.convert(f"{folder}/run.jsonl", f"{folder}/run.parquet", tank)
    ...     len(goalspec.Trace.read(f"{folder}/run.parquet", tank))
    2
    """
    Trace.read(source, world).save(target)
