"""Activities evaluated against live simulators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from goalspec._library import Library, Program
from goalspec._monitors import Monitor, Verdict
from goalspec._scoring import Outcome


@runtime_checkable
class PredicateBackend(Protocol):
    """What an activity requires of a simulator: the truth of a predicate of some of its objects, in its current state.

    Any class with this method is a backend; it need not inherit from this one.
    """

    def get_predicate(self, name: str, /, *objects: Any) -> bool:
        """Return whether a predicate holds of objects.

        Args:
            name: The name of the predicate in the activity, for example ``"ontop"`` or ``"cooked"``.
            objects: The objects, in the order of the arguments: their names in the activity (``"apple.n.01_1"``), or what the monitor maps
                these names to.
        """


class SimulatorMonitor:
    """A monitor of an activity over a live simulator, which is asked for the facts that the goal depends on.

    Each step asks the backend for every fact of ``facts`` once, and for no other. The verdicts and the outcome are those of a trace in
    which these facts are recorded.

    Args:
        program: An activity, or a library of one.
        backend: The simulator: an object with the method ``get_predicate``.
        objects: The objects of the simulator by their names in the activity, which ``get_predicate`` then takes. Objects that are not
            among them are passed by name.
        explain: Whether ``finish`` reports the conditions of the goal that failed.

    Raises:
        TypeError: If the backend has no method ``get_predicate``.
        ValueError: If the program is not an activity.
        KeyError: If ``objects`` has a name that the goal does not depend on.
        RefusedError: If the program has errors, or exceeds a limit.

    >>> import goalspec
    >>> class Garden:
    ...     facts = {("ontop", "watering_can.n.01_1", "shelf.n.01_1")}
    ...     def get_predicate(self, name, *objects):
    ...         return (name, *objects) in self.facts
    >>> monitor = goalspec.SimulatorMonitor(goalspec.load("@watering-the-garden"), Garden())
    >>> monitor.step().score
    0.2
    """

    def __init__(
        self,
        program: Program | Library,
        backend: PredicateBackend,
        *,
        objects: Mapping[str, Any] | None = None,
        explain: bool = False,
    ) -> None:
        if not callable(getattr(backend, "get_predicate", None)):
            raise TypeError(f"expected a backend with a method `get_predicate`, found a {type(backend).__name__}")
        self._monitor = Monitor(program, explain=explain)
        self._backend = backend
        self._facts = [(name, *arguments) for name, arguments in self._monitor._compiled.goal_facts()]
        objects = {} if objects is None else objects
        unknown = objects.keys() - {name for fact in self._facts for name in fact[1:]}
        if unknown:
            raise KeyError(f"the goal of `{self._monitor._program.name}` does not depend on an object `{min(unknown)}`")
        self._arguments = [[objects.get(name, name) for name in fact[1:]] for fact in self._facts]
        self._truths: list[bool] = []

    def step(self, *, time: float | None = None, action: str | None = None, last: bool = False) -> Verdict:
        """Ask the backend for the facts of its current state, and return the verdict on it.

        Args:
            time: The time of the state in seconds.
            action: The action that led to the state.
            last: Whether it is known to be the last state of the episode.

        Raises:
            TypeError: If the backend returns something else than a truth value.
            RefusedError: If the program exceeds its budget.

        Exceptions of the backend are not caught. The monitor is unchanged if there is one.
        """
        truths = [self._ask(fact[0], arguments) for fact, arguments in zip(self._facts, self._arguments, strict=True)]
        before = self._truths or [False] * len(truths)
        changes = list(zip(self._facts, before, truths, strict=True))
        state = {
            "facts": [list(fact) for fact, was, holds in changes if holds and not was],
            "not": [list(fact) for fact, was, holds in changes if was and not holds],
        }
        verdict = self._monitor.step(state, time=time, action=action, last=last)
        self._truths = truths
        return verdict

    def _ask(self, name: str, arguments: list[Any]) -> bool:
        holds: Any = self._backend.get_predicate(name, *arguments)
        if not isinstance(holds, bool | np.bool_):
            call = ", ".join(map(repr, [name, *arguments]))
            raise TypeError(f"expected a truth value of get_predicate({call}), found {holds!r}")
        return bool(holds)

    @property
    def facts(self) -> dict[tuple[str, ...], bool | None]:
        """The facts that the goal depends on, each a predicate and the names of its objects, and whether they held in the latest state;
        ``None`` before the first one."""
        truths = self._truths if self._truths else [None] * len(self._facts)
        return dict(zip(self._facts, truths, strict=True))

    @property
    def steps(self) -> int:
        """The number of states since the start or the last reset."""
        return self._monitor.steps

    def finish(self, trace: str = "<simulator>") -> Outcome:
        """End the episode with the latest state, and return the outcome; ``trace`` is its name in the outcome."""
        return self._monitor.finish(trace)

    def reset(self) -> None:
        """Restart before the first state of a new episode."""
        self._monitor.reset()
        self._truths = []

    def __repr__(self) -> str:
        return f"<goalspec.SimulatorMonitor of {self._monitor._program.name!r} after {self.steps} states>"
