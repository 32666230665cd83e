"""``VectorGoalReward``: a program as the reward of many environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space

from goalspec._library import Library, Program
from goalspec._traces import Trace
from goalspec.gym._extractors import AtariRam, Extractor, extractor_of
from goalspec.gym._programs import VectorFunctionReward, VectorMonitorReward, checked_program, default_world
from goalspec.gym._wrapper import _plain, check_options, function_columns, observed, observed_space

F64 = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


class VectorGoalReward(VectorWrapper[Any, Any, Any, Any, Any], RecordConstructorArgs):
    """Environments whose rewards are those of a program, in one call for all of them.

    Args:
        envs: The environments, with any of the three modes of autoreset: ``metadata["autoreset_mode"]``.
        threads: The number of threads of the monitors; with more than one, the wrapper must not be used after a fork.
        program, extractor, and the others: As for ``GoalReward``.

    Raises:
        TypeError: If the environments do not tell their mode of autoreset.
        ValueError: If the program ends episodes itself, which only the mode ``DISABLED`` can do from outside; or if the mode is ``SAME_STEP``
            and the extractor reads the environment itself, which is then in its next episode already.
        As ``GoalReward``.

    ``infos["goal"]`` has arrays with masks, as Gymnasium adds them: ``reward``, ``score``, ``new`` (the number of new satisfactions of each
    part, int32[environments, parts]; the names are ``part_names``), and ``counts`` in the last step of an episode. In the mode
    ``NEXT_STEP``, the step after an end has reward 0: its observation is the first one of the next episode.
    """

    def __init__(
        self,
        envs: VectorEnv[Any, Any, Any],
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
        threads: int = 1,
    ) -> None:
        arguments = {name: value for name, value in locals().items() if name not in ("self", "envs", "__class__")}
        RecordConstructorArgs.__init__(self, **arguments)
        VectorWrapper.__init__(self, envs)
        check_options(mode, weight, observe, at_truncation, shaping, gamma, on_error)
        chosen = checked_program(program, horizon, observe, shaping)
        self.extractor = deepcopy(extractor_of(extractor, columns))
        self.extractor.bind(envs.single_observation_space, envs.num_envs)
        self._autoreset_mode = _autoreset_mode(envs, chosen, terminate, self.extractor)
        self.goal = _reward(chosen, envs.num_envs, self.extractor, horizon, world, on_error, threads)
        self._reads_ram = isinstance(self.extractor, AtariRam) and not self.goal.has_state
        self._mode, self._weight, self._observe = mode, float(weight), observe
        self._terminate, self._closes = terminate, at_truncation == "close"
        self._shaping, self._gamma, self._report = shaping, gamma or 0.0, report
        self._fills_rewards = self.extractor.ends_with_rewards and self.goal.has_state
        count, parts = envs.num_envs, len(self.goal.part_names)
        self._pending, self._pending_new = np.zeros(count), np.zeros((count, parts), np.int32)
        self._points, self._potential = np.zeros(count), np.zeros(count)
        self._ended = np.zeros(count, np.bool_)
        if observe is not None:
            single = observed_space(envs.single_observation_space, self.goal.state_size, observe)
            self.single_observation_space, self.observation_space = single, batch_space(single, count)

    @property
    def part_names(self) -> list[str]:
        """The names of the preferences, or the indices of the conjuncts: the columns of ``infos["goal"]["new"]``."""
        return list(self.goal.part_names)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Reset all environments, or those of ``options["reset_mask"]`` (bool[environments])."""
        where = np.ones(self.num_envs, np.bool_)
        if options is not None and "reset_mask" in options:
            # The environments take it out of the dictionary.
            where = np.array(options["reset_mask"])
        observations, infos = self.env.reset(seed=seed, options=options)  # type: ignore[arg-type]
        self._refuse_keys(infos)
        self._begin(observations, infos, where)
        return self._observed(observations), dict(infos)

    def step(self, actions: Any) -> tuple[Any, F64, Bools, Bools, dict[str, Any]]:
        """Step all environments."""
        observations, own_rewards, terminated, truncated, infos = self.env.step(actions)
        if self.extractor.swaps_flags:
            terminated, truncated = truncated, terminated
        self._refuse_keys(infos)
        terminated, truncated = np.array(terminated, np.bool_), np.array(truncated, np.bool_)
        own_rewards = np.array(own_rewards, np.float64)
        began = self._ended & (self._autoreset_mode == AutoresetMode.NEXT_STEP)
        live = ~self._ended
        final, final_infos = observations, infos
        ends = terminated | truncated
        if self._autoreset_mode == AutoresetMode.SAME_STEP and ends.any():
            final, final_infos = _final(observations, infos, ends)
        rewards, terminated, record = self._advance(final, final_infos, actions, own_rewards, terminated, truncated, live)
        self._ended = np.where(live, terminated | truncated, self._ended & ~began)
        if began.any():
            self._begin(observations, infos, began)
        infos = dict(infos)
        if self._autoreset_mode == AutoresetMode.SAME_STEP and self._ended.any():
            if self._observe is not None:
                infos["final_obs"] = self._observed_finals(infos["final_obs"])
            self._begin(observations, infos, self._ended.copy())
        infos["goal"], infos["_goal"] = record, live.copy()
        if self._mode == "info":
            return self._observed(observations), own_rewards, terminated, truncated, infos
        infos["env_reward"], infos["_env_reward"] = own_rewards, live.copy()
        if self._mode == "add":
            rewards = own_rewards + self._weight * rewards
        return self._observed(observations), rewards, terminated, truncated, infos

    def _begin(self, observations: Any, infos: Mapping[str, Any], where: Bools) -> None:
        """Begin episodes with these first states."""
        self.goal.reset(where)
        self.extractor.reset(where)
        self._points[where] = 0.0
        rows = self._rows(observations, infos, where, np.zeros(self.num_envs))
        rewards, new = self.goal.step(rows, None, where, np.zeros(self.num_envs, np.bool_))
        self._pending[where], self._pending_new[where] = rewards[where], new[where]
        self._ended[where] = False
        if self._shaping is not None:
            self._potential[where] = self._phi(rows)[where]

    def _advance(
        self,
        observations: Any,
        infos: Mapping[str, Any],
        actions: Any,
        own_rewards: F64,
        terminated: Bools,
        truncated: Bools,
        live: Bools,
    ) -> tuple[F64, Bools, dict[str, Any]]:
        """Give the states of the live environments to the program; return the rewards, which episodes terminate, and the info."""
        goal, count = self.goal, self.num_envs
        if not live.any():
            return np.zeros(count), terminated, _goal_info(np.zeros(count), goal.score.copy(), live)
        rows = self._rows(observations, infos, live, own_rewards)
        last = live & (terminated | truncated if self._closes else terminated)
        closing = np.flatnonzero(last & ~terminated)
        is_paid_by_end = {int(place): goal.paid_by_end(int(place), rows[place]) for place in closing}
        given = None if goal.has_state else _plain_actions(actions)
        rewards, new = goal.step(rows, given, live, last)
        paid = np.zeros(count, np.bool_)
        if self._mode != "info":
            for place, is_paid in is_paid_by_end.items():
                paid[place] = is_paid(float(rewards[place]))
        terminated = terminated | (live & (paid | (goal.is_over & self._terminate)))
        rewards = np.where(live, rewards + self._pending, 0.0)
        new = np.where(live[:, None], new + self._pending_new, 0).astype(np.int32)
        self._pending[live], self._pending_new[live] = 0.0, 0
        record = _goal_info(rewards.copy(), goal.score.copy(), live)
        if new.any():
            record["new"], record["_new"] = new, new.any(axis=1)
        if goal.errors:
            texts = [str(goal.errors[place]) if place in goal.errors else None for place in range(count)]
            record["error"] = np.array(texts, dtype=object)
            record["_error"] = np.array([text is not None for text in texts])
        self._add_ends(record, live & (terminated | truncated))
        if self._shaping is not None:
            after = np.where(terminated, 0.0, self._phi(rows))
            rewards = np.where(live, rewards + self._gamma * after - self._potential, rewards)
            self._potential[live] = after[live]
        return rewards, terminated, record

    def _add_ends(self, record: dict[str, Any], ends: Bools) -> None:
        """Add the counts and the reports of the episodes that end."""
        for place in map(int, np.flatnonzero(ends)):
            outcome = self.goal.finish(place)
            counts = self.goal.counts(place, outcome)
            if counts:
                self._add_info(record, {"counts": counts}, place)
            if self._report and outcome is not None:
                self._add_info(record, {"report": outcome}, place)

    def _rows(self, observations: Any, infos: Mapping[str, Any], where: Bools, own_rewards: F64) -> Any:
        if self._reads_ram:
            return self.extractor.rams(self.env, observations, infos, where)  # type: ignore[attr-defined]
        rows = self.extractor.batch(self.env, observations, infos, where)
        if self._fills_rewards:
            self._points[where] += own_rewards[where]
            rows[:, -2], rows[:, -1] = own_rewards, self._points
        return rows

    def _phi(self, rows: Any) -> F64:
        if callable(self._shaping):
            return np.array([float(self._shaping(row)) for row in rows])
        return np.asarray(self.goal.potential(), np.float64)  # type: ignore[union-attr]

    def _observed(self, observations: Any) -> Any:
        if self._observe is None:
            return observations
        return observed(observations, self.goal.state(), self._observe)  # type: ignore[union-attr]

    def _observed_finals(self, finals: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the last observations of episodes with the states of the monitors."""
        states, result = self.goal.state(), np.full(len(finals), None, dtype=object)  # type: ignore[union-attr]
        for place in np.flatnonzero(self._ended):
            result[place] = observed(finals[place], states[place].copy(), self._observe or "dict")
        return result

    def _refuse_keys(self, infos: Mapping[str, Any]) -> None:
        for key in ("goal", "env_reward"):
            if key in infos:
                raise ValueError(f"the environments use the key `{key}` of infos themselves: rename it, for example with a wrapper")


def _autoreset_mode(envs: Any, program: Program, terminate: bool, extractor: Extractor) -> AutoresetMode:
    """Return the mode of autoreset, and refuse what is not possible in it."""
    mode = envs.metadata.get("autoreset_mode")
    if not isinstance(mode, AutoresetMode):
        raise TypeError('the environments do not tell when they are reset: expected an AutoresetMode as metadata["autoreset_mode"]')
    if mode != AutoresetMode.DISABLED and terminate and program.language != "reward":
        raise ValueError(
            f"`{program.name}` may end episodes itself, and the autoreset mode {mode.name} resets only what the environments end: say "
            "terminate=False, use AutoresetMode.DISABLED, or wrap each environment in GoalReward"
        )
    if mode == AutoresetMode.SAME_STEP and extractor.reads_env:
        raise ValueError(
            f"{type(extractor).__name__} reads the environment itself, which the autoreset mode SAME_STEP resets before the last state is "
            "seen: use another mode, or wrap each environment in GoalReward"
        )
    return mode


def _reward(
    program: Program, count: int, extractor: Extractor, horizon: int | None, world: Any, on_error: str, threads: int
) -> VectorMonitorReward | VectorFunctionReward:
    """Return a program as the reward of many environments."""
    world = default_world(program, world)
    columns = extractor.columns
    if program.language == "reward":
        if threads != 1:
            raise ValueError(f"expected 1 thread for a reward function, found {threads}")
        if columns is None:
            raise ValueError("reward functions in many environments need an extractor with columns, or AtariRam")
        return VectorFunctionReward(program, count, function_columns(extractor), world, "auto", on_error)
    if columns is None:
        raise ValueError("monitors of many environments need an extractor with columns")
    return VectorMonitorReward(program, count, columns, horizon, threads)


def _plain_actions(actions: Any) -> list[Any]:
    """Return actions for reward functions that take them."""
    array = np.asarray(actions)
    return list(array.tolist()) if array.ndim == 1 and array.dtype.kind in "iuf" else [_plain(action) for action in array]


def _goal_info(rewards: F64, scores: F64, live: Bools) -> dict[str, Any]:
    return {"reward": rewards, "_reward": live.copy(), "score": scores, "_score": live.copy()}


def _final(observations: Any, infos: Mapping[str, Any], ends: Bools) -> tuple[Any, dict[str, Any]]:
    """Return the observations and the infos with those of the last states where episodes end."""
    finals = deepcopy(observations)
    for place in np.flatnonzero(ends):
        finals = _replaced(finals, int(place), infos["final_obs"][place])
    return finals, {**infos, **infos.get("final_info", {})}


def _replaced(observations: Any, place: int, observation: Any) -> Any:
    """Replace the observation of one environment in a batch."""
    if isinstance(observations, Mapping):
        return {key: _replaced(value, place, observation[key]) for key, value in observations.items()}
    if isinstance(observations, tuple):
        pairs = zip(observations, observation, strict=True)
        return tuple(_replaced(values, place, value) for values, value in pairs)
    observations[place] = observation
    return observations

