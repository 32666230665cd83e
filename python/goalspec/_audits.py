"""Audits of reward functions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from goalspec import _core, _html
from goalspec._diagnostics import Diagnostic
from goalspec._frames import Frames, recording
from goalspec._library import Library, Path, Program
from goalspec._scoring import _inputs, selection
from goalspec._traces import Trace


class ProgramAudit:
    """The audit of one reward function. ``to_dict()`` is the object that ``goalspec audit --format json`` prints.

    >>> import goalspec
    >>> from goalspec import Frames
    >>> text = "from ocatari.ram.pong import Ball\\ndef reward_function(objects):\\n    return len(objects)\\n"
    >>> library = goalspec.loads(text, name="count.py")
    >>> ball = {"category": "Ball", "x": 60, "y": 79, "w": 2, "h": 4}
    >>> frames = Frames([[ball]] * 3, [0, 0, 1], [0, 2, 2], [False, False, True], [False] * 3, [0, 0, 0])
    >>> isinstance(goalspec.audit(library, frames)[0].findings, list)
    True
    """

    def __init__(self, core: _core.Audits, index: int, record: dict[str, Any]) -> None:
        self._core = core
        self._index = index
        self._record = record

    @property
    def program(self) -> str:
        """The name of the program."""
        return cast(str, self._record["program"])

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The findings, the worst first."""
        return list(self._record["findings"])

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``goalspec audit --format json`` prints."""
        return dict(self._record)

    def __str__(self) -> str:
        return self._core.text(self._index)

    def __repr__(self) -> str:
        return f"<goalspec.ProgramAudit of {self.program!r} with {len(self.findings)} findings>"


class Audit(Sequence[ProgramAudit]):
    """The audits of one or more reward functions over the same recordings.

    >>> import goalspec
    >>> from goalspec import Frames
    >>> text = "from ocatari.ram.pong import Ball\\ndef reward_function(objects):\\n    return len(objects)\\n"
    >>> library = goalspec.loads(text, name="count.py")
    >>> ball = {"category": "Ball", "x": 60, "y": 79, "w": 2, "h": 4}
    >>> frames = Frames([[ball]] * 3, [0, 0, 1], [0, 2, 2], [False, False, True], [False] * 3, [0, 0, 0])
    >>> len(goalspec.audit(library, frames))
    1
    """

    def __init__(self, core: _core.Audits) -> None:
        self._core = core
        self._audits = [ProgramAudit(core, index, record) for index, record in enumerate(core.records())]

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics of the recordings."""
        return self._core.diagnostics()

    def to_html(self) -> str:
        """Return the audits as a page of HTML with charts."""
        return self._core.html()

    def __len__(self) -> int:
        return len(self._audits)

    def __getitem__(self, index: Any) -> Any:
        return self._audits[index]

    def __iter__(self) -> Iterator[ProgramAudit]:
        return iter(self._audits)

    def __str__(self) -> str:
        return "\n".join(str(audit) for audit in self._audits)

    def _repr_html_(self) -> str:
        return _html.preformatted(str(self))


def audit(
    program: Program | Library | Path | Iterable[Program],
    recordings: Trace | Path | Frames | Iterable[Trace | Path | Frames] = (),
    *,
    score: str | None = None,
    any_world: bool = False,
    partial: bool = False,
) -> Audit:
    """Examine whether reward functions reward the objective of their game, based on recordings.

    Args:
        program: A reward function, several of one library, a library, or a path; recordings among the paths of a library are used, too.
        recordings: Recordings of play: paths, traces in memory, or ``Frames`` of arrays.
        score: The recorded value that is the true score; by default the game's own reward.
        any_world: Whether worlds that accept no traces of other worlds accept them anyway.
        partial: Whether a damaged recording is audited up to the damage.

    Raises:
        CheckError: If a program has errors.
        TraceError: If a recording cannot be read.
        ValueError: If a program is not a reward function, or the frames are not of its game.

    >>> import goalspec
    >>> from goalspec import Frames
    >>> text = "from ocatari.ram.pong import Ball\\ndef reward_function(objects):\\n    return len(objects)\\n"
    >>> library = goalspec.loads(text, name="count.py")
    >>> ball = {"category": "Ball", "x": 60, "y": 79, "w": 2, "h": 4}
    >>> frames = Frames([[ball]] * 3, [0, 0, 1], [0, 2, 2], [False, False, True], [False] * 3, [0, 0, 0])
    >>> goalspec.audit(library, frames)[0].program
    'count.py'
    """
    library, indices, paths = selection(program)
    given = [recordings] if isinstance(recordings, Trace | str | os.PathLike | Frames) else list(recordings)
    world = library.programs[indices[0]].world if indices else None
    inputs: list[_core.Trace | str | bytes] = list(paths)
    for one in given:
        inputs += [recording(world, one)] if isinstance(one, Frames) else _inputs(one)
    if not inputs:
        raise ValueError("expected at least one recording")
    return Audit(_core.audit_rewards(library._core, indices, inputs, score, any_world, partial))
