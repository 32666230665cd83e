"""Scores of programs over traces."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from goalspec import _core, _html
from goalspec._diagnostics import Diagnostic
from goalspec._errors import ScoreError
from goalspec._library import Library, Path, Program, load
from goalspec._progress import observer
from goalspec._tables import Table
from goalspec._traces import Trace


_T = TypeVar("_T")


@dataclass(frozen=True)
class Satisfaction:
    """A satisfaction of a preference: its objects by variable, and its first and last state, counted from 1.

    >>> import goalspec
    >>> found = goalspec.score(goalspec.load("@throw-to-bin"))[0].preferences["throwToBin"].satisfactions[0]
    >>> found.start, found.end
    (48, 56)
    """

    binding: Mapping[str, str]
    start: int
    end: int
    measures: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class PreferenceOutcome:
    """The result of one preference: its count and its satisfactions.

    ``best_attempt`` is the most advanced attempt at an unsatisfied preference, in a report with reasons; ``dropped`` is the number of
    satisfactions that are counted but not listed.

    >>> import goalspec
    >>> goalspec.score(goalspec.load("@throw-to-bin"))[0].preferences["throwToBin"].count
    2
    """

    name: str
    count: int
    satisfactions: tuple[Satisfaction, ...]
    best_attempt: Mapping[str, Any] | None
    dropped: int


def satisfaction(record: Mapping[str, Any]) -> Satisfaction:
    """Create a satisfaction from its JSON object."""
    return Satisfaction(record["binding"], record["start"], record["end"], tuple(record.get("measures", ())))


def _preference(record: Mapping[str, Any]) -> PreferenceOutcome:
    return PreferenceOutcome(
        record["name"],
        record["count"],
        tuple(satisfaction(one) for one in record["satisfactions"]),
        record.get("best_attempt"),
        record.get("dropped_satisfactions", 0),
    )


class Outcome:
    """The outcome of one program on one trace. ``to_dict()`` is the object that ``goalspec score --format json`` prints.

    >>> import goalspec
    >>> outcome = goalspec.score(goalspec.load("@throw-to-bin"))[0]
    >>> outcome.score, outcome.states, outcome.terminal
    (10.0, 78, None)
    """

    def __init__(self, record: dict[str, Any]) -> None:
        self._record = record

    @property
    def program(self) -> str:
        """The name of the program."""
        return cast(str, self._record["program"])

    @property
    def trace(self) -> str:
        """The name of the trace."""
        return cast(str, self._record["trace"])

    @property
    def world(self) -> str:
        """The name of the world."""
        return cast(str, self._record["world"])

    @property
    def is_reward(self) -> bool:
        """Whether the program is a reward function, whose outcome has frames and episodes instead of states and preferences."""
        return "frames" in self._record

    @property
    def score(self) -> float:
        """The score of a game, the progress towards a goal, or the total of a reward function.

        Raises:
            ScoreError: If there is none.
        """
        score = self._record["total" if self.is_reward else "score"]
        if score is None:
            raise ScoreError(self._record.get("score_error", "no frame has a reward"))
        return float(score)

    def score_or(self, default: _T) -> float | _T:
        """Return the score, or ``default`` if there is none."""
        try:
            return self.score
        except ScoreError:
            return default

    @property
    def states(self) -> int:
        """The number of states, or of frames, that were seen."""
        return cast(int, self._record["frames" if self.is_reward else "states"])

    @property
    def setup_met(self) -> bool | None:
        """Whether the setup of a game was ever met; ``None`` for other programs."""
        return self._record.get("setup_met")

    @property
    def terminal(self) -> int | None:
        """The state in which a game ended by itself, counted from 1; ``None`` if it did not."""
        return self._record.get("terminal")

    @property
    def preferences(self) -> dict[str, PreferenceOutcome]:
        """The preferences of a game by name; empty for other programs."""
        return {record["name"]: _preference(record) for record in self._record.get("preferences", ())}

    @property
    def rewards(self) -> npt.NDArray[np.float64]:
        """The reward of each state, float64[states]; empty unless ``per_step`` was set. A frame without a reward is NaN."""
        rewards = self._record.get("rewards", ())
        return np.array([np.nan if reward is None else float(reward) for reward in rewards], dtype=np.float64)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on parts that were left out or could not be evaluated."""
        return tuple(self._record.get("remarks", ()))

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``goalspec score --format json`` prints."""
        return dict(self._record)

    def __repr__(self) -> str:
        return f"<goalspec.Outcome {self.program!r} over {self.trace!r}: {self.score_or(None)}>"

    def _repr_html_(self) -> str:
        rows = [(one.name, one.count, len(one.satisfactions) + one.dropped) for one in self.preferences.values()]
        head = _html.table(("program", "trace", "score"), [(self.program, self.trace, self.score_or(None))])
        return head + _html.table(("preference", "count", "satisfactions"), rows) if rows else head


class Report(Sequence[Outcome]):
    """The outcomes of programs over traces, by trace and program; those of reward functions follow those of games and activities.

    >>> import goalspec
    >>> report = goalspec.score(goalspec.load("@throw-to-bin"))
    >>> len(report), report[0].score, report.table()["count"].tolist()
    (1, 10.0, [2, 0, 3])
    """

    def __init__(self, core: _core.Scores) -> None:
        self._core = core
        self._outcomes = [Outcome(record) for record in core.records()]

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics of the traces and of programs that could not be run."""
        return self._core.diagnostics()

    def __len__(self) -> int:
        return len(self._outcomes)

    def __getitem__(self, index: Any) -> Any:
        return self._outcomes[index]

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self._outcomes)

    def table(self, by: str | None = None) -> Table:
        """Return a table.

        Args:
            by: ``"preference"`` (a row for each outcome and preference) or ``"state"`` (a row for each state; requires ``per_step``) for
                games and activities; ``"episode"`` or ``"frame"`` (a row for each frame; requires ``per_step``) for reward functions. By default,
                ``"preference"``, or ``"episode"`` if all outcomes are of reward functions.

        Raises:
            ValueError: If there is no such table.
        """
        if by is None:
            rewards = len(self) > 0 and all(outcome.is_reward for outcome in self)
            by = "episode" if rewards else "preference"
        return Table(self._core.table(by), self._core.arrow_table(by))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export ``table()`` as an Arrow C stream, which any library of data frames reads."""
        return self.table().__arrow_c_stream__(requested_schema)

    def to_arrow(self, by: str | None = None) -> Any:
        """Return a table as a ``pyarrow.Table``; ``by`` as in ``table``. Raises ``ImportError`` if pyarrow is not installed."""
        return self.table(by).to_arrow()

    def to_pandas(self, by: str | None = None) -> Any:
        """Return a table as a ``pandas.DataFrame``; ``by`` as in ``table``. Raises ``ImportError`` if pandas is not installed."""
        return self.table(by).to_pandas()

    def to_polars(self, by: str | None = None) -> Any:
        """Return a table as a ``polars.DataFrame``; ``by`` as in ``table``. Raises ``ImportError`` if polars is not installed."""
        return self.table(by).to_polars()

    def to_json(self) -> str:
        """Return the text that ``goalspec score --format json`` prints."""
        return self._core.json()

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the outcomes as dictionaries."""
        return [outcome.to_dict() for outcome in self._outcomes]

    def __repr__(self) -> str:
        return f"<goalspec.Report with {len(self)} outcomes>"

    def _repr_html_(self) -> str:
        rows = ((one.program, one.trace, one.score_or(None), one.states) for one in self._outcomes)
        return _html.table(("program", "trace", "score", "states"), rows)


Programs = Program | Library | Path | Iterable[Program]


def selection(programs: Programs) -> tuple[Library, list[int], list[str]]:
    """Return the library of programs, their indices, and the traces among the paths of the library."""
    if isinstance(programs, str | os.PathLike):
        programs = load(programs)
    if isinstance(programs, Library):
        return programs, list(range(len(programs))), programs._core.trace_paths()
    chosen = [programs] if isinstance(programs, Program) else list(programs)
    if not chosen:
        raise ValueError("expected at least one program")
    for program in chosen:
        if not isinstance(program, Program):
            raise TypeError(f"expected programs, a library or a path, found an object of type `{type(program).__name__}`")
        if program._core is not chosen[0]._core:
            raise ValueError("the programs are of different libraries: load them together, or score them separately")
    return Library._of(chosen[0]._core, dict(chosen[0]._options)), [program._index for program in chosen], []


def _inputs(traces: Trace | Path | Iterable[Trace | Path]) -> list[_core.Trace | str]:
    one = isinstance(traces, Trace | str | os.PathLike)
    items = [cast(Trace | Path, traces)] if one else list(cast(Iterable[Trace | Path], traces))
    return [item._core if isinstance(item, Trace) else os.fspath(item) for item in items]


def score(
    programs: Programs,
    traces: Trace | Path | Iterable[Trace | Path] = (),
    *,
    why: bool = False,
    per_step: bool = False,
    semantics: str = "spec",
    engine: str = "fast",
    jobs: int | None = None,
    partial: bool = False,
    any_world: bool = False,
    progress: bool | Callable[[int, int], object] | None = None,
    on_error: str = "raise",
) -> Report:
    """Score traces by programs, each trace by the programs whose world it belongs to.

    Args:
        programs: A program, several programs of one library, a library, or a path; traces among the paths of a library are scored, too.
        traces: One or more traces, in memory or as paths.
        why: Whether outcomes have the best attempt at each unsatisfied preference, and the conditions that failed.
        per_step: Whether outcomes have the reward of every state.
        semantics: ``"spec"``, or ``"reference"`` for the behaviour of the authors' reward machine.
        engine: ``"fast"``, or ``"reference"`` for the slow reference interpreter, which gives the same results.
        jobs: The number of threads; by default one per core for several traces. The results are the same.
        partial: Whether a damaged trace is scored up to the damage.
        any_world: Whether activities score traces of other activities.
        progress: ``True`` for a progress bar (if ``tqdm`` is installed), or a function of the numbers of traces done and of all traces.
        on_error: ``"raise"``, or ``"keep"`` to leave errors in ``Report.diagnostics`` and score what is left.

    Raises:
        CheckError: If a program has errors.
        TraceError: If a trace cannot be read, or no program is of its world.
        RefusedError: If an engine does not run a program.

    >>> import goalspec
    >>> goalspec.score("@throw-to-bin", why=True)[0].preferences["throwFromAfar"].best_attempt["failed_at"]
    29
    """
    if on_error not in ("raise", "keep"):
        raise ValueError(f"unknown value `{on_error}` for on_error: expected `raise` or `keep`")
    library, indices, paths = selection(programs)
    arguments = {
        "why": why,
        "per_step": per_step,
        "semantics": semantics,
        "engine": engine,
        "jobs": jobs,
        "partial": partial,
        "any_world": any_world,
        "raises": on_error == "raise",
    }
    with observer(progress) as observe:
        return Report(_core.score(library._core, indices, [*paths, *_inputs(traces)], arguments, observe))
