"""``GoalReward``: a program as the reward of one environment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from goalspec._library import Library, Program
from goalspec._traces import Trace
from goalspec.gym._extractors import AtariRam, Extractor, extractor_of
from goalspec.gym._programs import ON_ERROR, FunctionReward, MonitorReward, NewPart, checked_program, default_world

MODES = ("replace", "add", "info")
OBSERVE = ("dict", "flat")
AT_TRUNCATION = ("close", "open")
_ALL = np.ones(1, np.bool_)


class GoalReward(
    gymnasium.Wrapper[Any, Any, Any, Any],
    RecordConstructorArgs,
):
    """An environment whose reward is that of a program: a game, an activity or a reward function.

    Args:
        env: The environment. A ``TimeLimit`` belongs inside: a time limit around this wrapper is not seen by it.
        program: A program, or a library of one.
        extractor: What the program sees: an extractor of this module, or a callable of the environment, its observation and its info.
        columns: For a callable, the names of the numbers that it returns, as for ``Monitor``; without them, it returns what
            ``Monitor.step`` or a reward function takes.
        mode: ``"replace"``: the reward is the program's; ``"add"``: that of the environment and ``weight`` times the program's;
            ``"info"``: the reward is untouched, the program's is only in ``info``.
        weight: The weight of the program's reward in the mode ``"add"``.
        observe: ``"dict"``: observations are ``Dict(observation=.., goal=Box(state_size))`` with the state of the monitor; ``"flat"``: the
            state is appended to a one-dimensional ``Box``; ``None``: observations are untouched.
        terminate: Whether the program's own end is ``terminated``.
        at_truncation: ``"close"``: the last state of a truncated episode counts as the last one, so that the rewards of an episode sum to
            what ``score`` says of it; ``"open"``: it does not.
        shaping: ``"progress"``, or a callable that gives the potential of a state as the extractor returns it: the reward gets
            ``gamma * potential(after) - potential(before)``, with the potential 0 after a termination.
        gamma: The discount of the shaping.
        horizon: As for ``Monitor``: the number of states in which the numbers of its state are scaled.
        on_error: ``"raise"``: an exception of a reward function is raised; ``"zero"``: the reward is 0, and the exception is
            ``info["goal"]["error"]``.
        report: Whether the last ``info`` of an episode has the ``Outcome``, as ``info["goal"]["report"]``.
        world: For reward functions that import no world: the world of their objects.

    Raises:
        RefusedError: If the program gives no rewards, or has no state to observe.
        TypeError: If the space of observations does not fit ``observe``.
        ValueError: For unknown values of options.

    ``info["goal"]`` has the ``reward`` and the ``score`` so far (without shaping), ``new`` where something is newly satisfied: tuples of
    the preference, the first and the last state, and the binding, and in the last step ``counts``. ``info["env_reward"]`` is the reward
    of the environment where another one is returned. A reward that the first state brings is paid with the first step.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        program: Program | Library,
        extractor: Extractor | Callable[..., Any],
        *,
        columns: Sequence[str] | None = None,
        mode: str = "replace",
        weight: float = 1.0,
        observe: str | None = None,
        terminate: bool = True,
        at_truncation: str = "close",
        shaping: str | Callable[[Any], float] | None = None,
        gamma: float | None = None,
        horizon: int | None = None,
        on_error: str = "raise",
        report: bool = False,
        world: str | Program | Library | Trace | None = None,
    ) -> None:
        RecordConstructorArgs.__init__(
            self,
            program=program,
            extractor=extractor,
            columns=columns,
            mode=mode,
            weight=weight,
            observe=observe,
            terminate=terminate,
            at_truncation=at_truncation,
            shaping=shaping,
            gamma=gamma,
            horizon=horizon,
            on_error=on_error,
            report=report,
            world=world,
        )
        gymnasium.Wrapper.__init__(self, env)
        check_options(mode, weight, observe, at_truncation, shaping, gamma, on_error)
        chosen = checked_program(program, horizon, observe, shaping)
        # The extractor of an environment keeps its own state.
        self.extractor = deepcopy(extractor_of(extractor, columns))
        self.extractor.bind(env.observation_space, 1)
        self.goal: MonitorReward | FunctionReward = _reward(chosen, self.extractor, horizon, world, on_error)
        self._reads_ram = isinstance(self.extractor, AtariRam) and not self.goal.has_state
        self._mode, self._weight, self._observe = mode, float(weight), observe
        self._terminate, self._closes = terminate, at_truncation == "close"
        self._shaping, self._gamma, self._report = shaping, gamma or 0.0, report
        self._swaps_flags = self.extractor.swaps_flags
        self._fills_rewards = self.extractor.ends_with_rewards and self.goal.has_state
        self._reads_more = self._reads_ram or self._fills_rewards
        self._is_checked = False
        self._is_first = False
        self._pending = 0.0
        self._pending_new: list[NewPart] = []
        self._points = 0.0
        self._potential = 0.0
        if observe is not None:
            self.observation_space = observed_space(env.observation_space, self.goal.state_size, observe)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        self._refuse_keys(info)
        self.goal.reset()
        self.extractor.reset(_ALL)
        self._points = 0.0
        state = self._state(observation, info, 0.0)
        self._pending, self._pending_new = self.goal.step(state, None, False)
        self._is_first = True
        if self._shaping is not None:
            self._potential = self._phi(state)
        return self._observed(observation), dict(info)

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        observation, own_reward, terminated, truncated, info = self.env.step(action)
        if self._swaps_flags:
            terminated, truncated = truncated, terminated
        if not self._is_checked:
            self._refuse_keys(info)
            self._is_checked = True
        state = self._state(observation, info, float(own_reward)) if self._reads_more else self.extractor(self.env, observation, info)
        reward, terminated, record = self._advance(state, action, terminated, truncated)
        shaped = 0.0
        if self._shaping is not None:
            after = 0.0 if terminated else self._phi(state)
            shaped = self._gamma * after - self._potential
            self._potential = after
        info = dict(info)
        record["reward"], record["score"] = reward, self.goal.score
        info["goal"] = record
        if self._observe is not None:
            observation = self._observed(observation)
        if self._mode == "info":
            return observation, own_reward, terminated, truncated, info
        info["env_reward"] = float(own_reward)
        result = reward + shaped
        if self._mode == "add":
            result = float(own_reward) + self._weight * result
        return observation, result, terminated, truncated, info

    def _advance(
        self, state: Any, action: Any, terminated: bool, truncated: bool
    ) -> tuple[float, bool, dict[str, Any]]:
        """Give the state to the program; return its reward, whether the episode terminates, and what it adds to the info."""
        goal, is_paid_by_end = self.goal, False
        record: dict[str, Any] = {}
        new: list[NewPart]
        if goal.is_over:
            reward, new = 0.0, []
        elif truncated and not terminated and self._closes:
            reward, new, is_paid_by_end = goal.close(state, None if goal.has_state else _plain(action))
        else:
            reward, new = goal.step(state, None if goal.has_state else _plain(action), terminated)
        ends = goal.is_over and self._terminate
        # Trainers add the value of the next state to a truncation, which would pay the parts of the end twice.
        terminated = terminated or ends or (is_paid_by_end and self._mode != "info")
        if self._is_first:
            reward, new, self._is_first = reward + self._pending, self._pending_new + new, False
        if new:
            record["new"] = new
        if goal.error is not None:
            record["error"] = str(goal.error)
        if terminated or truncated or goal.is_over:
            record["counts"] = goal.counts()
            if self._report:
                record["report"] = goal.finish()
        return reward, terminated, record

    def _state(self, observation: Any, info: dict[str, Any], own_reward: float) -> Any:
        if self._reads_ram:
            return self.extractor.ram(self.env, observation)  # type: ignore[attr-defined]
        state = self.extractor(self.env, observation, info)
        if self._fills_rewards:
            self._points += own_reward
            state[-2:] = own_reward, self._points
        return state

    def _phi(self, state: Any) -> float:
        return float(self._shaping(state)) if callable(self._shaping) else self.goal.potential()  # type: ignore[union-attr]

    def _observed(self, observation: Any) -> Any:
        if self._observe is None:
            return observation
        return observed(observation, self.goal.state(), self._observe)  # type: ignore[union-attr]

    def _refuse_keys(self, info: dict[str, Any]) -> None:
        for key in ("goal", "env_reward"):
            if key in info:
                raise ValueError(f"the environment uses the key `{key}` of info itself: rename it, for example with a wrapper")

    def __deepcopy__(self, memo: dict[int, Any]) -> GoalReward:
        copy = type(self).__new__(type(self))
        memo[id(self)] = copy
        for name, value in self.__dict__.items():
            # Programs are immutable, and monitors copy themselves.
            copy.__dict__[name] = dict(value) if name == "_saved_kwargs" else deepcopy(value, memo)
        return copy


def _reward(
    program: Program, extractor: Extractor, horizon: int | None, world: Any, on_error: str
) -> MonitorReward | FunctionReward:
    """Return a program as the reward of one environment."""
    world = default_world(program, world)
    if program.language != "reward":
        return MonitorReward(program, extractor.columns, horizon)
    return FunctionReward(program, function_columns(extractor), world, "auto", on_error)


def function_columns(extractor: Extractor) -> Sequence[str] | None:
    """Return the columns of a reward function; it sees screens as they are."""
    return None if isinstance(extractor, AtariRam) else extractor.columns


def _plain(action: Any) -> int | float | str | None:
    """Return an action for a reward function that takes it; ``None`` if it is more than a number or a text."""
    if isinstance(action, np.ndarray | np.generic) and np.size(action) == 1:
        action = np.asarray(action).reshape(()).item()
    return action if isinstance(action, int | float | str) else None


def check_options(
    mode: str, weight: float, observe: str | None, at_truncation: str, shaping: Any, gamma: float | None, on_error: str
) -> None:
    """Refuse unknown values of options, and options without effect."""
    given = {"mode": (mode, MODES), "at_truncation": (at_truncation, AT_TRUNCATION), "on_error": (on_error, ON_ERROR)}
    if observe is not None:
        given["observe"] = (observe, OBSERVE)
    if isinstance(shaping, str):
        given["shaping"] = (shaping, ("progress",))
    for name, (value, known) in given.items():
        if value not in known:
            expected = " or ".join(f"`{one}`" for one in known)
            raise ValueError(f"unknown value `{value}` for {name}: expected {expected}")
    if weight != 1.0 and mode != "add":
        raise ValueError(f"weight is for the mode `add`, found mode `{mode}`")
    if not np.isfinite(weight):
        raise ValueError(f"expected a finite weight, found {weight}")
    if (shaping is None) != (gamma is None):
        raise ValueError("shaping and gamma are given together: gamma is the discount of the learner")
    if gamma is not None and not 0.0 <= gamma <= 1.0:
        raise ValueError(f"expected a gamma from 0 to 1, found {gamma}")
    if shaping is not None and mode == "info":
        raise ValueError("shaping changes the reward, which the mode `info` leaves as it is")


def observed_space(space: spaces.Space[Any], state_size: int, observe: str) -> spaces.Space[Any]:
    """Return the space of observations with the state of the monitor.

    Raises:
        TypeError: If the state cannot be appended to the observations.
    """
    goal = spaces.Box(0.0, 1.0, (state_size,), np.float32)
    if observe == "dict":
        return spaces.Dict({"observation": space, "goal": goal})
    if not isinstance(space, spaces.Box) or len(space.shape) != 1:
        raise TypeError(f'observe="flat" appends to a one-dimensional Box, found {space}; use observe="dict"')
    low, high = (np.concatenate([bound.astype(np.float32), end]) for bound, end in ((space.low, goal.low), (space.high, goal.high)))
    return spaces.Box(low, high, dtype=np.float32)


def observed(observation: Any, state: Any, observe: str) -> Any:
    """Return an observation, or a batch of them, with the state of the monitor."""
    if observe == "dict":
        return {"observation": observation, "goal": state}
    return np.concatenate([np.asarray(observation, np.float32), state], axis=-1)
