"""Scores of tables of traces: the function that every worker of a cluster runs on its batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Protocol

from goalspec import _core, _optional
from goalspec._library import compiled
from goalspec._scoring import Programs, selection


class ArrowStream(Protocol):
    """An object that exports the Arrow C stream interface: a ``pyarrow.Table``, a data frame, a ``RecordBatchReader``."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the table as an Arrow C stream."""


@dataclass(frozen=True)
class TraceLimits:
    """Limits on what scoring one trace may take. A trace that exceeds one of them has an error in its rows.

    Without them, one trace could take all memory of a worker, which dies; a cluster would then give the same trace to the next worker.

    >>> import goalspec
    >>> goalspec.TraceLimits(states=1000).seconds
    60.0
    """

    states: int = 1_000_000
    """The maximum number of states, or of frames of a recording of screens."""
    bytes: int = 256 << 20
    """The maximum number of bytes: of uncompressed text, or of memory of states."""
    bindings: int = 1 << 24
    """The maximum number of bindings of a preference, or of a quantifier of the setup."""
    memory: int = 512 << 20
    """The maximum memory of a program over one trace for bindings and conditions, in bytes."""
    seconds: float = 60.0
    """The maximum time for all programs, in seconds, checked before every state. It is the only limit that depends on the machine."""
    work: int | None = 1_000_000_000
    """The work budget of each program, in units, plus a thousandth of it per state; ``None`` for no limit."""
    call_work: int = 1_000_000
    """The work limit of each call of a reward function, in units."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and not value > 0:
                raise ValueError(f"expected a positive number for the limit `{field.name}`, found {value!r}")


@dataclass(frozen=True)
class TableTask:
    """Programs as texts, with the options for scoring tables by them: what travels to the workers of a cluster."""

    texts: tuple[tuple[str, str], ...]
    library_options: tuple[tuple[str, Any], ...]
    programs: tuple[int, ...]
    options: tuple[tuple[str, Any], ...]

    def scorer(self) -> _core.TableScorer:
        """Return the compiled programs. A process compiles equal tasks once."""
        scorer = _scorers.pop(self, None)
        if scorer is None:
            library = compiled(self.texts, self.library_options)
            scorer = _core.TableScorer(library, list(self.programs), dict(self.options))
            if len(_scorers) >= _MAX_SCORERS:
                _scorers.pop(next(iter(_scorers)), None)
        _scorers[self] = scorer
        return scorer

    def __call__(self, table: Any) -> Any:
        """Score a batch of traces, a ``pyarrow.Table`` or ``RecordBatch``."""
        return _optional.require("pyarrow", "arrow").table(self.scorer().score(table, 1, False))


_MAX_SCORERS = 32


_scorers: dict[TableTask, _core.TableScorer] = {}


def table_task(
    programs: Programs,
    *,
    limits: TraceLimits | None = None,
    semantics: str = "spec",
    engine: str = "fast",
    any_world: bool = False,
) -> TableTask:
    """Return the task that scores tables by programs. The programs are compiled, so that their errors are raised here."""
    library, indices, _ = selection(programs)
    options: dict[str, Any] = asdict(TraceLimits() if limits is None else limits)
    options |= {"semantics": semantics, "engine": engine, "any_world": any_world}
    texts = tuple((name, text) for name, text in library._core.texts())
    library_options: Mapping[str, Any] = library._options
    task = TableTask(texts, tuple(library_options.items()), tuple(indices), tuple(options.items()))
    compiled(texts, task.library_options, library._core)
    task.scorer()
    return task


def score_table(
    programs: Programs,
    table: ArrowStream,
    *,
    on_error: str = "column",
    limits: TraceLimits | None = None,
    semantics: str = "spec",
    engine: str = "fast",
    any_world: bool = False,
    jobs: int = 1,
) -> Any:
    """Score a table of traces by programs: a row for each trace and program.

    The rows are a function of the programs and the table, up to the limit on time: equal calls in other processes give equal rows. What goes
    wrong with one trace is a text in its column ``error``, and never an exception.

    Args:
        programs: A program, several programs of one library, a library, or a path. A process compiles equal programs once.
        table: A ``pyarrow.Table``, a data frame, or another object with ``__arrow_c_stream__``, with the keys of the traces (texts or integers)
            in the column ``trace``, and their states in one of three forms. *Texts*: a row for each trace, whose column ``states`` is the
            content of a trace file (text or bytes). *Lists*: a row for each trace, and columns of lists named as those of
            ``Trace.from_columns``, such as ``cup_1.water`` (lists of numbers) and ``hand.position`` (lists of vectors), perhaps with
            ``time`` and ``action``; all programs are of one world. *Entries*: the layout of Parquet traces, as ``TraceBatch.to_arrow`` writes
            it; the rows of a trace follow one another.
        on_error: ``"column"``, or ``"raise"`` for an exception if a trace has an error.
        limits: The limits for each trace.
        semantics: ``"spec"``, or ``"reference"`` for the behaviour of the authors' reward machine.
        engine: ``"fast"``, or ``"reference"`` for the slow reference interpreter, which gives the same results.
        any_world: Whether activities score traces of other activities.
        jobs: The number of threads. The rows are the same.

    Returns:
        A ``pyarrow.Table`` with the columns ``trace`` (as in the input), ``program``, ``score`` (of a game, the progress towards a goal, or the
        total of a reward function), ``score_error`` (why there is no score), ``states``, ``terminal`` (the state in which a game ended by
        itself), ``count_NAME`` for each name of a preference of the programs, and ``error``. A row with an error has no score.

    Raises:
        CheckError: If a program has errors.
        RefusedError: If a program is not scored, such as a planning problem.
        KeyError, TypeError, ValueError: If the table is not one of traces, or an option is not one of those above.
        TraceError: With ``on_error="raise"``, if a trace has an error.
        ImportError: If pyarrow is not installed.

    >>> import goalspec, pyarrow
    >>> library = goalspec.loads('''
    ... name = "tank"
    ... [types]
    ... tank = {}
    ... [objects]
    ... tank = { type = "tank", name = "tank" }
    ... [attributes]
    ... level = { kind = "real", of = "tank" }
    ... [functions]
    ... level = { parameters = "?t - tank", attribute = "level" }
    ... ''', name="tank.world.toml")
    >>> library = library.add('''
    ... (define (game fill) (:domain tank)
    ...     (:constraints (preference full (exists (?t - tank) (at-end (>= (level ?t) 1)))))
    ...     (:scoring (count full)))
    ... ''', name="fill.game")
    >>> table = pyarrow.table({"trace": [7, 8, 9], "tank.level": [[0.0, 1.5], [0.0, 0.5, 0.7], []]})
    >>> rows = goalspec.score_table(library, table)
    >>> rows.select(["trace", "score", "states", "count_full"]).to_pylist()[:2]
    [{'trace': 7, 'score': 1.0, 'states': 2, 'count_full': 1}, {'trace': 8, 'score': 0.0, 'states': 3, 'count_full': 0}]
    >>> rows["error"][2].as_py()
    '9: the trace has no states [trace/empty]'
    """
    if on_error not in ("column", "raise"):
        raise ValueError(f"unknown value `{on_error}` for on_error: expected `column` or `raise`")
    if jobs < 1:
        raise ValueError(f"expected at least one job, found {jobs}")
    pyarrow = _optional.require("pyarrow", "arrow")
    task = table_task(programs, limits=limits, semantics=semantics, engine=engine, any_world=any_world)
    return pyarrow.table(task.scorer().score(table, jobs, on_error == "raise"))


def describe_difference(traces: int, programs: int, rows: int, distinct: int) -> str | None:
    """Return what is wrong with the rows of a data set; ``None`` if every trace has one row for each program."""
    if rows == distinct == traces * programs:
        return None
    expected = f"{traces} traces and {programs} programs give {traces * programs} rows"
    return f"{expected}, found {rows} rows with {distinct} distinct keys: the traces have equal keys, or rows were lost or doubled"
