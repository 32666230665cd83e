"""Programs as rewards: a monitor or a reward function in one environment or in many, behind one interface."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from goalspec import _core
from goalspec._errors import RefusedError, RewardError
from goalspec._host import HostRewards
from goalspec._library import Library, Program
from goalspec._monitors import Monitor, VectorMonitor, program_of
from goalspec._rewards import RewardFunction
from goalspec._scoring import Outcome
from goalspec._traces import Trace

F64 = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

NewPart = tuple[str, int, int, dict[str, str]]
"""A new satisfaction: the preference or the conjunct, its first and last state, and its binding."""

ON_ERROR = ("raise", "zero")

_ROW_TYPES = (np.dtype(np.float32), np.dtype(np.float64))
"""The types of rows that are read as they are."""


class MonitorReward:
    """The monitor of a game or an activity in one environment."""

    has_state = True

    def __init__(self, program: Program, columns: Sequence[str] | None, horizon: int | None) -> None:
        self.monitor = monitor_of(program, columns, horizon)
        self.state_size: int = self.monitor.state_size
        self._is_goal = program.language != "game"
        self._parts = self.monitor._compiled.part_names()
        self._weights = attempt_weights(self.monitor.state_names)
        self._held: set[int] = set()
        self.error: RewardError | None = None
        self.is_over = False
        """Whether later states cannot change the result."""
        self.score = 0.0

    def reset(self) -> None:
        self.monitor.reset()
        self._held = set()
        self.is_over, self.score = False, 0.0

    def step(self, state: Any, action: Any, last: bool) -> tuple[float, list[NewPart]]:
        """Process a state; return its reward, and what is newly satisfied."""
        core = self.monitor._core
        reward, self.score, _, done, parts = core.step(self._input(state), None, None, last)
        if done and not last:
            self.is_over = True
        return reward, self._new(parts, core.steps) if parts else []

    def _input(self, state: Any) -> Any:
        """Return a state as the monitor takes it."""
        if self.monitor._columns is None or (isinstance(state, np.ndarray) and state.dtype in _ROW_TYPES):
            return state
        return np.asarray(state, np.float64)

    def close(self, state: Any, action: Any) -> tuple[float, list[NewPart], bool]:
        """Process the last state of a truncated episode; also return whether parts are paid because it is the last one."""
        if self.is_over:
            return 0.0, [], False
        before = self.monitor._core.copy()
        reward, new = self.step(state, action, True)
        open_reward, _, _, self.is_over, _ = before.step(self._input(state), None, None, False)
        return reward, new, reward != open_reward

    def _new(self, parts: list[Any], step: int) -> list[NewPart]:
        if not self._is_goal:
            return [(one["preference"], one["start"], one["end"], one["binding"]) for one in parts]
        found = set(parts)
        new = sorted(found - self._held)
        self._held = found
        return [(str(part), step, step, {}) for part in new]

    def potential(self) -> float:
        """Return the progress from 0 to 1: the share of the goal that holds, or the mean progress of the attempts at preferences."""
        return self.score if self._is_goal else float(self._weights @ self.state())

    def state(self) -> npt.NDArray[np.float32]:
        return self.monitor.state(np.empty(self.state_size, np.float32))

    def finish(self) -> Outcome:
        """Return the outcome of the episode so far."""
        return self.monitor.copy().finish()

    def counts(self) -> dict[str, int]:
        """Return the number of satisfactions of each preference, or whether each conjunct holds."""
        if self._is_goal:
            return {name: int(place in self._held) for place, name in enumerate(self._parts)}
        return {name: one.count for name, one in self.finish().preferences.items()}

    def __deepcopy__(self, memo: dict[int, Any]) -> MonitorReward:
        copy = type(self).__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.monitor, copy._held = self.monitor.copy(), set(self._held)
        return copy


class FunctionReward:
    """A reward function in one environment.

    It is copied by replaying the episode: a list of the observations since its start is kept.
    """

    has_state = False
    state_size = 0
    is_over = False

    def __init__(
        self,
        program: Program,
        columns: Sequence[str] | None,
        world: Any = None,
        engine: str = "auto",
        on_error: str = "raise",
    ) -> None:
        self._arguments = (program, columns, world, engine, on_error)
        self._core = reward_core(program, columns, world, engine, 1)
        self._raises = on_error == "raise"
        self._has_columns = columns is not None
        self._history: list[tuple[Any, Any]] = []
        self.score = 0.0
        self.error: RewardError | None = None

    def reset(self) -> None:
        self._core.reset(None)
        self._history = []
        self.score, self.error = 0.0, None

    def step(self, state: Any, action: Any, last: bool) -> tuple[float, list[NewPart]]:
        if isinstance(state, np.ndarray) or self._has_columns:
            # The caller may use its array again.
            state = np.array(state)
        self._history.append((state, action))
        self.error = None
        try:
            reward = self._reward(state, action)
        except RewardError as error:
            if self._raises:
                raise
            self.error, reward = error, 0.0
        self.score += reward
        return reward, []

    def _reward(self, state: Any, action: Any) -> float:
        selection = (None, None if action is None else [action])
        if self._has_columns:
            rewards, errors = self._core.step_columns(np.asarray(state, np.float64)[np.newaxis], selection)
        elif isinstance(state, np.ndarray) and state.dtype == np.uint8:
            rewards, errors = self._core.step_ram(state[np.newaxis], selection)
        else:
            return self._core.call(state, action)[0]
        if errors:
            raise errors[0]
        return float(rewards[0])

    def close(self, state: Any, action: Any) -> tuple[float, list[NewPart], bool]:
        return *self.step(state, action, True), False

    def finish(self) -> None:
        """Return nothing: a reward function has no outcome but the sum of its rewards."""

    def counts(self) -> dict[str, int]:
        return {}

    def __deepcopy__(self, memo: dict[int, Any]) -> FunctionReward:
        return _replayed(self._arguments, list(self._history))

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, (self._arguments, self._history)


def _replayed(arguments: tuple[Any, ...], history: list[tuple[Any, Any]]) -> FunctionReward:
    copy = FunctionReward(*arguments)
    for state, action in history:
        copy.step(state, action, False)
    return copy


class VectorMonitorReward:
    """The monitors of a game or an activity in many environments."""

    has_state = True

    def __init__(
        self, program: Program, num_envs: int, columns: Sequence[str], horizon: int | None, threads: int
    ) -> None:
        self.monitor = VectorMonitor(program, num_envs, columns, horizon=horizon, threads=threads)
        self.state_size: int = self.monitor.state_size
        self.part_names: list[str] = self.monitor.part_names
        self._is_goal = program.language != "game"
        self._weights = attempt_weights(self.monitor.state_names)
        self._held = np.zeros((num_envs, len(self.part_names)), np.int32)
        self.score = np.zeros(num_envs)
        self.is_over = np.zeros(num_envs, np.bool_)
        self.errors: dict[int, RewardError] = {}

    def reset(self, where: Bools) -> None:
        self.monitor.reset(where)
        self._held[where], self.score[where], self.is_over[where] = 0, 0.0, False

    def step(self, values: Any, actions: Any, where: Bools, last: Bools) -> tuple[F64, npt.NDArray[np.int32]]:
        """Process the states of the environments in ``where``; return the rewards, and what is newly satisfied, by part."""
        verdict = self.monitor.step(values, where=where, last=last)
        self.score = verdict.score.copy()
        self.is_over |= verdict.done & where & ~last
        new = verdict.satisfied
        if self._is_goal:
            new = np.where(where[:, None], np.maximum(new - self._held, 0), 0).astype(np.int32)
            self._held[where] = verdict.satisfied[where]
        return verdict.reward, new

    def paid_by_end(self, environment: int, row: F64) -> Callable[[float], bool]:
        """Return whether a reward is not that of a state that is not known to be the last one. To be called before the step."""
        if self.is_over[environment]:
            return lambda _: False
        open_reward, is_over = self.monitor._core.peek(environment, row)
        self.is_over[environment] = is_over
        return lambda reward: reward != open_reward

    def potential(self) -> F64:
        progress = self.score if self._is_goal else self.state() @ self._weights
        return np.array(progress, np.float64)

    def state(self) -> npt.NDArray[np.float32]:
        return self.monitor.state(np.empty((self.monitor.num_envs, self.state_size), np.float32))

    def finish(self, environment: int) -> Outcome:
        return self.monitor.finish(environment)

    def counts(self, environment: int, outcome: Outcome | None) -> dict[str, int]:
        if self._is_goal or outcome is None:
            return dict(zip(self.part_names, self._held[environment].tolist(), strict=True))
        return {name: one.count for name, one in outcome.preferences.items()}


class VectorFunctionReward:
    """A reward function in many environments."""

    has_state = False
    state_size = 0
    part_names: list[str] = []

    def __init__(
        self,
        program: Program,
        num_envs: int,
        columns: Sequence[str] | None,
        world: Any,
        engine: str,
        on_error: str,
    ) -> None:
        self._core = reward_core(program, columns, world, engine, num_envs)
        self._raises = on_error == "raise"
        self._has_columns = columns is not None
        self.score = np.zeros(num_envs)
        self.is_over = np.zeros(num_envs, np.bool_)
        self.errors: dict[int, RewardError] = {}

    def reset(self, where: Bools) -> None:
        self._core.reset(where)
        self.score[where] = 0.0

    def step(self, values: Any, actions: Any, where: Bools, last: Bools) -> tuple[F64, npt.NDArray[np.int32]]:
        given = None if actions is None else list(actions)
        step = self._core.step_columns if self._has_columns else self._core.step_ram
        rewards, self.errors = step(values, (where, given))
        if self.errors:
            if self._raises:
                raise self.errors[min(self.errors)]
            rewards[list(self.errors)] = 0.0
        self.score += rewards
        return rewards, np.zeros((len(rewards), 0), np.int32)

    def paid_by_end(self, environment: int, row: F64) -> Callable[[float], bool]:
        return lambda _: False

    def finish(self, environment: int) -> None:
        """Return nothing: a reward function has no outcome but the sum of its rewards."""

    def counts(self, environment: int, outcome: Outcome | None) -> dict[str, int]:
        return {}


def monitor_of(program: Program, columns: Sequence[str] | None, horizon: int | None) -> Monitor:
    """Return a monitor of a program."""
    return Monitor(program, columns=columns, horizon=horizon)


def reward_core(
    program: Program, columns: Sequence[str] | None, world: Any, engine: str, count: int
) -> _core.Rewards | HostRewards:
    """Return a reward function in ``count`` environments, whose observations are rows of columns, or those of a screen."""
    function = RewardFunction(program, world, engine=engine)
    if count == 1 and columns is None:
        return function._core
    return function.vector(count, columns=columns or ())._core


def attempt_weights(names: Sequence[str]) -> npt.NDArray[np.float32]:
    """Return the weights of the numbers of a monitor's state in the mean progress of the attempts at preferences."""
    weights = np.array([name.endswith(".attempt") for name in names], np.float32)
    result: npt.NDArray[np.float32] = weights / max(weights.sum(), 1.0)
    return result


def checked_program(program: Program | Library, horizon: int | None, observe: str | None, shaping: Any) -> Program:
    """Return a program that gives rewards; refuse options that its language does not have.

    Raises:
        RefusedError: If the program has another purpose, or has no state that could be observed.
    """
    chosen = program_of(program)
    if chosen.language not in ("game", "bddl", "reward"):
        raise RefusedError(f"`{chosen.name}` is a {chosen.kind}: rewards are given by games, activities and reward functions")
    if chosen.language == "reward":
        for name, given in (("observe", observe), ("horizon", horizon), ('shaping="progress"', shaping == "progress")):
            if given:
                raise RefusedError(f"`{chosen.name}` is a reward function, and has no state for {name}")
    return chosen


def default_world(program: Program, world: str | Program | Library | Trace | None) -> Any:
    """Return the world of the objects of a reward function, if it is given."""
    if world is not None and program.language != "reward":
        raise ValueError("world is for reward functions; the world of other programs is their own")
    return world
