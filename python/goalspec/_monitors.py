"""Monitors of programs, stepped state by state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from goalspec import _core
from goalspec._errors import RefusedError
from goalspec._library import Library, Program
from goalspec._scoring import Outcome
from goalspec._traces import column_name

_F64 = npt.NDArray[np.float64]


def program_of(program: Program | Library) -> Program:
    """Return a program, or the only one of a library."""
    if isinstance(program, Program):
        return program
    if len(program) != 1:
        raise ValueError(f"expected a library of one program, found {len(program)}; pass one of them")
    return program[0]


class NewSatisfaction(NamedTuple):
    """A satisfaction that ends in the current state, or a conjunct of a goal that holds in it.

    For a conjunct, ``preference`` is its index as text, ``start`` and ``end`` are the number of the state, and ``binding`` is empty.
    """

    preference: str
    start: int
    end: int
    binding: Mapping[str, str]


class Verdict:
    """The verdict of a monitor on one state."""

    __slots__ = ("_parts", "_step", "done", "ready", "reward", "score")

    def __init__(self, reward: float, score: float, ready: bool, done: bool, parts: list[Any], step: int) -> None:
        self.reward: float = reward
        """The reward of the state."""
        self.score: float = score
        """The score of the game so far, or the progress towards the goal from 0 to 1."""
        self.ready: bool = ready
        """Whether the setup of the game holds; always true for goals."""
        self.done: bool = done
        """Whether later states cannot change the result, or this state was the last one."""
        self._parts = parts
        self._step = step

    @property
    def satisfied(self) -> tuple[NewSatisfaction, ...]:
        """The satisfactions that end in this state; for a goal, the conjuncts that hold."""
        return tuple(
            NewSatisfaction(str(part), self._step, self._step, {})
            if isinstance(part, int)
            else NewSatisfaction(part["preference"], part["start"], part["end"], part["binding"])
            for part in self._parts
        )

    def __repr__(self) -> str:
        return f"Verdict(reward={self.reward}, score={self.score}, ready={self.ready}, done={self.done})"


def _compile(program: Program, explain: bool, horizon: int | None, exact: bool) -> _core.Compiled:
    if horizon is not None and not 1 <= horizon < 2**32:
        raise ValueError(f"expected a horizon of at least 1 state, and below 2**32, found {horizon}")
    compiled = _core.compile(program._core, program._index, explain, "fast", "spec", horizon)
    if exact and not compiled.has_exact_features():
        reason = "is a summary of the states before" + ("; a horizon may make it exact" if horizon is None else "")
        raise RefusedError(f"the state of a monitor of `{program.name}` {reason}")
    return compiled


class Monitor:
    """A monitor of a game or an activity in one environment, stepped state by state.

    Args:
        program: A program, or a library of one.
        columns: The names of the numbers of a state, as for ``Trace.from_columns`` (a vector is three consecutive names that end in
            ``.x``, ``.y`` and ``.z``); states are then arrays float64[columns]. Without columns, states are dictionaries.
        horizon: The maximum number of states of an episode: ``state`` then tells single bindings apart where there are at most as many
            as the horizon, and scales counts by it.
        explain: Whether ``finish`` reports the conditions of a goal that failed.
        exact: Whether ``state`` has to determine all future rewards.

    Raises:
        RefusedError: If the program has errors or is not a game or an activity, exceeds a limit, or has no exact state if asked for.
        KeyError: If the world has no such column.

    A monitor is pickled with the inputs of the current episode, and continues equally in another process. A monitor that two threads use at
    the same time raises a ``RuntimeError`` in one of them.

    >>> import goalspec
    >>> monitor = goalspec.Monitor(goalspec.load("@throw-to-bin"), horizon=100)
    >>> monitor.state_size == len(monitor.state_names) == len(monitor.state())
    True
    """

    def __init__(
        self,
        program: Program | Library,
        *,
        columns: Sequence[str] | None = None,
        horizon: int | None = None,
        explain: bool = False,
        exact: bool = False,
    ) -> None:
        self._program = program_of(program)
        self._compiled = _compile(self._program, explain, horizon, exact)
        self._columns = None if columns is None else [column_name(name) for name in columns]
        self._core = self._compiled.monitor(self._columns)
        self._options: dict[str, Any] = {"columns": self._columns, "horizon": horizon, "explain": explain}
        self._finished = False

    def step(
        self,
        state: Mapping[str, Any] | npt.ArrayLike,
        *,
        time: float | None = None,
        action: str | None = None,
        last: bool = False,
    ) -> Verdict:
        """Process the next state and return the verdict on it.

        Args:
            state: A dictionary, the difference from the state before it; or with columns an array float64[columns].
            time: The time of the state in seconds.
            action: The action that led to the state.
            last: Whether it is known to be the last state of the episode.

        Raises:
            TraceError: If it is not a state of the world. The monitor is then unchanged.
            RefusedError: If the program exceeds its budget.
        """
        if self._columns is not None:
            state = np.asarray(state, dtype=np.float64)
        result = self._core.step(state, time, action, last)
        return Verdict(*result, self._core.steps)

    def finish(self, trace: str = "<monitor>") -> Outcome:
        """End the episode with the latest state, and return the outcome; ``trace`` is its name in the outcome."""
        self._finished = self.steps > 0
        return Outcome(self._core.finish(trace))

    def reset(self) -> None:
        """Restart before the first state of a new episode."""
        self._finished = False
        self._core.reset()

    def copy(self) -> Monitor:
        """Return an independent monitor in the same state."""
        other = Monitor.__new__(Monitor)
        other._program, other._compiled, other._columns = self._program, self._compiled, self._columns
        other._core, other._options, other._finished = self._core.copy(), self._options, self._finished
        return other

    def __copy__(self) -> Monitor:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Monitor:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _continued, (self._program, self._options, self._core.inputs(), self._finished)

    def state(self, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
        """Return the state of the monitor as numbers from 0 to 1, float32[state_size], or write it to ``out``.

        It is what makes the rewards of a game a function of the state of the world and of this one: for each sequence, how many bindings are
        at each position (and with a horizon, which), and the counts that the score or the terminal condition uses. ``state_names`` has
        the names of the numbers; their number depends on the program and the horizon alone.

        Raises:
            ValueError: If ``out`` is of another size.
        """
        out = np.empty(self.state_size, np.float32) if out is None else out
        self._core.features(out)
        return out

    @property
    def steps(self) -> int:
        """The number of states since the start or the last reset."""
        return self._core.steps

    @property
    def state_names(self) -> list[str]:
        """The names of the numbers of ``state``."""
        return self._compiled.feature_names()

    @property
    def state_size(self) -> int:
        """The number of numbers of ``state``."""
        return len(self.state_names)

    @property
    def state_is_exact(self) -> bool:
        """Whether ``state`` and the state of the world determine all future rewards, in episodes within the horizon, after the first state;
        otherwise it is a summary."""
        return self._compiled.has_exact_features()

    def __repr__(self) -> str:
        return f"<goalspec.Monitor of {self._program.name!r} after {self.steps} states>"


def _continued(program: Program, options: Mapping[str, Any], inputs: Sequence[Any], finished: bool) -> Monitor:
    """Create a monitor that has processed these inputs."""
    monitor = Monitor(program, **options)
    monitor._core.replay(inputs)
    if finished:
        monitor.finish()
    return monitor


class VectorVerdict(NamedTuple):
    """The verdicts of a step of many environments, as fresh arrays."""

    reward: _F64
    """The reward of each environment, float64[environments]."""
    score: _F64
    """The score so far, or the progress towards the goal, float64[environments]."""
    done: npt.NDArray[np.bool_]
    """Whether the episode is over, bool[environments]."""
    satisfied: npt.NDArray[np.int32]
    """The number of satisfactions of each preference that end in this state, or whether each conjunct of the goal holds,
    int32[environments, parts]."""


class VectorMonitor:
    """The monitors of one program in many environments, whose states are the rows of a matrix.

    Args:
        program: A program, or a library of one.
        num_envs: The number of environments.
        columns: The names of the columns, as for ``Monitor``.
        horizon, exact: As for ``Monitor``.
        threads: The number of threads; with more than one, the monitor has threads of its own and must not be used after a fork.

    Raises:
        As ``Monitor``.

    It is pickled with the steps since the earliest start of the current episodes, if their states have at most 16,777,216 numbers. Games
    without a setup whose conditions compare single columns are evaluated side by side, the fastest form.

    >>> import goalspec
    >>> world = '''name = "tank"
    ... [types]
    ... tank = {}
    ... [objects]
    ... tank = { type = "tank", name = "tank" }
    ... [attributes]
    ... level = { kind = "real", of = "tank" }
    ... [functions]
    ... level = { parameters = "?t - tank", attribute = "level" }'''
    >>> tank = goalspec.loads(world, name="tank.world.toml")
    >>> game = '''(define (game fill) (:domain tank)
    ...     (:constraints (preference full (exists (?t - tank) (then (once (< (level ?t) 1)) (once (>= (level ?t) 1))))))
    ...     (:scoring (count full)))'''
    >>> vector = goalspec.VectorMonitor(tank.add(game, name="fill.game"), 2, ["tank.level"])
    >>> vector.step([[0.0], [0.0]]).reward.tolist(), vector.step([[1.0], [0.5]]).reward.tolist()
    ([0.0, 0.0], [1.0, 0.0])
    """

    def __init__(
        self,
        program: Program | Library,
        num_envs: int,
        columns: Sequence[str],
        *,
        horizon: int | None = None,
        exact: bool = False,
        threads: int = 1,
    ) -> None:
        if num_envs < 1 or threads < 1:
            raise ValueError(f"expected at least 1 environment and 1 thread, found {num_envs} and {threads}")
        self._program = program_of(program)
        self._compiled = _compile(self._program, False, horizon, exact)
        names = [column_name(name) for name in columns]
        self._core = self._compiled.batch(num_envs, names, threads)
        self._options: dict[str, Any] = {"num_envs": num_envs, "columns": names, "horizon": horizon, "threads": threads}
        self.num_envs: int = num_envs
        """The number of environments."""

    def step(
        self,
        values: npt.ArrayLike,
        *,
        where: npt.NDArray[np.bool_] | None = None,
        last: npt.NDArray[np.bool_] | None = None,
    ) -> VectorVerdict:
        """Process the next state of every environment, or of those in ``where``.

        Args:
            values: The states, float64[environments, columns].
            where: The environments that are stepped, bool[environments]. The others are unchanged, and their reward is 0.
            last: Whether each state is known to be the last one of its episode, bool[environments].

        Raises:
            ValueError: If a shape differs.
            TraceError: If a number is not a value of its column. No environment is stepped then.
            RefusedError: If the program exceeds its budget.
        """
        return VectorVerdict(*self._core.step(np.asarray(values, dtype=np.float64), where, last))

    def reset(self, where: npt.NDArray[np.bool_] | None = None) -> None:
        """Restart all environments, or those in ``where``, before the first state of a new episode."""
        self._core.reset(np.ones(self.num_envs, np.bool_) if where is None else where)

    def finish(self, environment: int, trace: str = "<monitor>") -> Outcome:
        """End the episode of an environment, and return its outcome."""
        if not 0 <= environment < self.num_envs:
            raise IndexError(f"expected an environment below {self.num_envs}, found {environment}")
        return Outcome(self._core.finish(environment, trace))

    def state(self, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
        """Return the states of the monitors, float32[environments, state_size], or write them to ``out``."""
        out = np.empty((self.num_envs, self.state_size), np.float32) if out is None else out
        self._core.features(out)
        return out

    @property
    def state_names(self) -> list[str]:
        """The names of the columns of ``state``."""
        return self._compiled.feature_names()

    @property
    def state_size(self) -> int:
        """The number of columns of ``state``."""
        return len(self.state_names)

    @property
    def state_is_exact(self) -> bool:
        """As for ``Monitor``."""
        return self._compiled.has_exact_features()

    @property
    def part_names(self) -> list[str]:
        """The names of the preferences, or the indices of the conjuncts: the columns of ``VectorVerdict.satisfied``."""
        return self._compiled.part_names()

    def __reduce__(self) -> tuple[Any, ...]:
        return _continued_vector, (self._program, self._options, self._core.inputs())

    def __repr__(self) -> str:
        return f"<goalspec.VectorMonitor of {self._program.name!r} in {self.num_envs} environments>"


def _continued_vector(program: Program, options: Mapping[str, Any], inputs: Sequence[Any]) -> VectorMonitor:
    """Create a vector monitor that has processed these inputs."""
    monitor = VectorMonitor(program, **options)
    monitor._core.replay(inputs)
    return monitor
