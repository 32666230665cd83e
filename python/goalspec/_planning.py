"""Plans and their validation, and the options of goals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from goalspec import _core, _html
from goalspec._diagnostics import Diagnostic
from goalspec._library import Library, Path, Program, load, loads
from goalspec._traces import Trace

Problem = Program | Library | Path
Goal = str | Program | tuple[Program, str]


def _is_text(source: Path) -> bool:
    return isinstance(source, str) and source.lstrip().startswith("(")


def _library(problem: Path, domain: Path | None, further: list[str]) -> Library:
    if _is_text(problem):
        files = {} if domain is None else {"domain.pddl": str(domain)}
        return loads(str(problem), name="problem.pddl", files=files, domain=None if domain is None else "domain.pddl")
    return load(problem, *further, domain=domain)


def _problem(problem: Problem, domain: Path | None, goal: Goal | None) -> tuple[_core.Library, int, Any]:
    """Return the library with the problem, its index, and the goal as the core takes it."""
    requested: Any = None
    files: list[str] = []
    preference: str | None = None
    if isinstance(goal, str) and not _is_text(goal):
        file, separator, name = goal.rpartition("::")
        files = [file if separator else goal]
        preference = name if separator else None
    elif isinstance(goal, str):
        requested = goal
    if isinstance(problem, Program):
        core, index = problem._core, problem._index
    else:
        library = problem if isinstance(problem, Library) else _library(problem, domain, files)
        places = [place for place, program in enumerate(library) if program.language in ("pddl", "bddl")]
        if len(places) != 1:
            raise ValueError(f"expected one planning problem or activity, found {len(places)}; pass a program")
        core, index = library._core, places[0]
        if files and library is not problem:
            games = [place for place, program in enumerate(library) if program.language == "game"]
            if len(games) != 1:
                raise ValueError(f"expected one game in `{files[0]}`, found {len(games)}")
            requested = (games[0], preference)
    if files and requested is None:
        raise ValueError("the file of a goal requires the path of a problem; pass a game of the library of the problem")
    if isinstance(goal, Program | tuple):
        game = goal if isinstance(goal, Program) else goal[0]
        if game._core is not core:
            raise ValueError(f"`{game.name}` is of another library than the problem: load them together")
        requested = (game._index, None if isinstance(goal, Program) else goal[1])
    return core, index, requested


class PlanResult:
    """The result of planning. ``to_dict()`` is the object that ``goalspec plan --format json`` prints.

    >>> import goalspec
    >>> bool(goalspec.plan("@delivery"))
    True
    """

    def __init__(self, core: _core.Plan) -> None:
        self._core = core
        self._record = core.record()

    @property
    def steps(self) -> list[str] | None:
        """The steps of the plan, each as text such as ``(drive red depot mill)``; ``None`` without a plan."""
        return cast("list[str] | None", self._record["plan"])

    @property
    def cost(self) -> float | None:
        """The value of the metric; ``None`` without a plan or a metric."""
        return cast("float | None", self._record.get("metric"))

    @property
    def proof(self) -> str | None:
        """``"optimal"``, ``"fewest-steps"`` (the metric was not minimized), ``"unsolvable"`` or ``None``."""
        return cast("str | None", self._record["proof"])

    @property
    def stopped(self) -> str | None:
        """The limit or interruption that ended the search early: ``"time"``, ``"memory"``, ``"states"``, ``"cancelled"`` or ``None``."""
        return cast("str | None", self._record.get("stop_reason"))

    @property
    def statistics(self) -> dict[str, Any]:
        """The statistics of the search; empty if there was none."""
        return dict(self._record.get("statistics") or {})

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics of the problem."""
        return self._core.diagnostics()

    def trace(self) -> Trace:
        """Return the states of the plan, the initial state first.

        Raises:
            ValueError: If there is no plan.
        """
        states = self._core.states()
        if states is None:
            raise ValueError("there is no plan")
        return Trace(_core.Trace.read(states, self._core.world()))

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``goalspec plan --format json`` prints."""
        return dict(self._record)

    def __bool__(self) -> bool:
        return self.steps is not None

    def __str__(self) -> str:
        return "\n".join(self.steps or [])

    def __repr__(self) -> str:
        found = "no plan" if self.steps is None else f"{len(self.steps)} steps"
        return f"<goalspec.PlanResult: {found}, proof {self.proof}>"

    def _repr_html_(self) -> str:
        return _html.table(("step", "action"), enumerate(self.steps or [], start=1))


def plan(
    problem: Problem,
    *,
    domain: Path | None = None,
    goal: Goal | None = None,
    keep_goal: bool = False,
    search: str = "portfolio",
    optimal: bool = False,
    improve: bool = False,
    time_limit: float | None = None,
    memory_limit: int = 4 << 30,
    seed: int = 0,
    jobs: int | None = None,
    on_plan: Callable[[int, float | None, float], object] | None = None,
) -> PlanResult:
    """Search for a plan for a PDDL problem or an activity. That there is no plan is no exception.

    Args:
        problem: A program, a library with one problem, the path of a problem, or its text, which begins with ``(``.
        domain: The file of the domain, unless it is in the folder of the problem; for a text, the text of the domain.
        goal: The goal that replaces that of the problem: a PDDL condition, a game of the same library (with the name of a preference if it
            has several), or its file, as ``"errands.game"`` or ``"errands.game::tidy"``.
        keep_goal: Whether the goal of the problem has to be reached as well.
        search: The name of the search, as for ``goalspec plan --search``.
        optimal: Whether the plan has to be optimal.
        improve: Whether to search for better plans until one is proved optimal or a limit is reached.
        time_limit: The time limit in seconds.
        memory_limit: The memory limit in bytes.
        seed: The seed of pseudo-random decisions.
        jobs: The number of threads, of which two at most are used; by default one per core. The plan is the same.
        on_plan: A function that is called with the number of steps, the metric and the time in seconds of each plan that is found.

    Raises:
        CheckError: If the problem, its domain or the goal has errors.
        RefusedError: If a limit is reached before the search begins, or the problem uses an unsupported feature.
        ValueError: If an argument is invalid.
        KeyboardInterrupt: If the search is interrupted; the best plan so far is the attribute ``partial`` of the exception.

    >>> import goalspec
    >>> result = goalspec.plan("@delivery", optimal=True)
    >>> result.proof, len(result.steps) == len(result.trace()) - 1
    ('optimal', True)
    """
    core, index, requested = _problem(problem, domain, goal)
    arguments = {
        "search": search,
        "optimal": optimal,
        "improve": improve,
        "time_limit": time_limit,
        "memory_limit": memory_limit,
        "seed": seed,
        "jobs": jobs,
    }
    try:
        return PlanResult(_core.plan(core, index, requested, keep_goal, arguments, on_plan))
    except KeyboardInterrupt as interrupt:
        partial = getattr(interrupt, "partial", None)
        interrupt.partial = None if partial is None else PlanResult(partial)  # type: ignore[attr-defined]
        raise


class Validation:
    """The judgement of a plan. ``to_dict()`` is the object that ``goalspec validate --format json`` prints.

    >>> import goalspec
    >>> validation = goalspec.validate("@delivery", [])
    >>> validation.valid, len(validation.diagnostics) > 0
    (False, True)
    """

    def __init__(self, record: dict[str, Any], valid: bool, diagnostics: list[Diagnostic]) -> None:
        self._record = record
        self.valid: bool = valid
        """Whether the plan solves the problem."""
        self.diagnostics: list[Diagnostic] = diagnostics
        """The step that fails and its unmet conditions, or the unmet goals; violated constraints and preferences."""

    @property
    def metric(self) -> float | None:
        """The value of the metric; ``None`` if it is undefined."""
        return cast("float | None", self._record["metric"])

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``goalspec validate --format json`` prints."""
        return dict(self._record)

    def __bool__(self) -> bool:
        return self.valid

    def __repr__(self) -> str:
        return f"<goalspec.Validation: {'valid' if self.valid else 'invalid'}, metric {self.metric}>"


def _plan_text(plan: str | Iterable[str] | PlanResult) -> str:
    if isinstance(plan, str):
        return plan
    if isinstance(plan, PlanResult):
        if plan.steps is None:
            raise ValueError("there is no plan")
        return "\n".join(plan.steps)
    return "\n".join(step if step.lstrip().startswith("(") else f"({step})" for step in plan)


def validate(
    problem: Problem,
    plan: str | Iterable[str] | PlanResult,
    *,
    domain: Path | None = None,
    goal: Goal | None = None,
    keep_goal: bool = False,
    skip_inapplicable: bool = False,
) -> Validation:
    """Execute a plan and judge whether it solves a problem.

    Args:
        problem, domain, goal, keep_goal: As in ``plan``.
        plan: The text of a plan, a list of steps such as ``"(drive red depot mill)"``, or a result of ``plan``.
        skip_inapplicable: Whether steps that are not applicable or have unknown names are skipped.

    Raises:
        CheckError: If the problem, the goal or the text of the plan has errors.

    >>> import goalspec
    >>> goalspec.validate("@delivery", goalspec.plan("@delivery")).valid
    True
    """
    core, index, requested = _problem(problem, domain, goal)
    return Validation(*_core.validate(core, index, requested, keep_goal, _plan_text(plan), skip_inapplicable))


class Options:
    """The options of an activity's goal: the conjunctions of literals that imply it.

    >>> import goalspec
    >>> goalspec.options("@watering-the-garden", limit=0).options
    []
    """

    def __init__(self, record: Mapping[str, Any]) -> None:
        self._record = dict(record)

    @property
    def count(self) -> int | None:
        """The number of options; ``None`` if it is unknown."""
        count = self._record.get("count")
        return None if count is None else int(count)

    @property
    def options(self) -> list[Any]:
        """The listed options, each a list of literals such as ``["not", ["open", "box.n.01_1"]]``; empty if they were not listed.

        >>> import goalspec
        >>> goalspec.options("@watering-the-garden").count
        1
        """
        return list(self._record.get("options", ()))

    @property
    def error(self) -> str | None:
        """The reason why the options are not listed, if so."""
        return self._record.get("error")

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``goalspec options --format json`` prints."""
        return dict(self._record)

    def __len__(self) -> int:
        return len(self.options)

    def __repr__(self) -> str:
        return f"<goalspec.Options of {self._record['program']!r}: {self.count}>"


def options(activity: Program | Library | Path, *, limit: int = 10) -> Options:
    """Count the ways to meet the goal of an activity, and list the first ``limit`` of them.

    Raises:
        ValueError: If the program is not an activity without errors.
    """
    core, index, _ = _problem(activity, None, None)
    if limit < 0:
        raise ValueError(f"expected a limit of at least 0, found {limit}")
    return Options(_core.options(core, index, limit))
