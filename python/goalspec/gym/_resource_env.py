"""Resource graph games as environments of Gymnasium: one team learns, and the others play policies.

>>> from goalspec.gym import ResourceEnv
>>> env = ResourceEnv("@berries", team="ann", others="greedy", max_turns=4)
>>> observation, info = env.reset(seed=7)
>>> info
{'game': (7, 0)}
>>> env.action_meanings
['nothing', 'look around', 'gather (ann) target=hill', 'gather (ann) target=brook', 'gather (ann) target=grove']
>>> observation["action_mask"].tolist()
[1, 1, 1, 0, 0]
>>> observation, reward, terminated, truncated, info = env.step(2)
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, ClassVar, SupportsIndex, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from goalspec._agents import (
    COMPLETED,
    MAX_TURNS,
    NOT_STARTED,
    RUNNING,
    TRUNCATED,
    AgentGame,
    Bins,
    Game,
    Illegal,
    Observation,
    Policies,
    Scale,
    View,
    checked_seed,
    next_episode,
    random_seed,
)
from goalspec._errors import GameError

__all__ = ["ResourceEnv", "ResourceVectorEnv"]


def _learner(game: AgentGame, team: str | None) -> str:
    if team is None:
        return game.teams[0]
    game.place(team)
    return team


class ResourceEnv(gymnasium.Env[Observation, np.int64]):
    """A resource graph game in which one team learns. A step is its turn with the turns of the others until it is to move again.

    Observations, actions, masks and further arguments are those of ``goalspec.petting.raw_env``. The reward of a step is the change of the
    total of the team since the step before; that of the first step contains the turns of others before it, so that the rewards of an
    episode are the final total minus the initial one.

    Args:
        game: A program, a library with one resource graph game, or a path.
        team: The team that learns; by default the first.
        others: The policies of the other teams as of ``goalspec.simulate``: one for all, or by team.

    Raises:
        As ``goalspec.petting.raw_env``, and ``KeyError`` for an unknown team.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: Game,
        team: str | None = None,
        others: Policies = "random",
        *,
        max_turns: int = MAX_TURNS,
        bins: Bins | None = None,
        scale: Scale = None,
        clip: bool = True,
        mask_view: View = "observation",
        illegal: Illegal = "play",
    ) -> None:
        self._game = AgentGame(
            game, max_turns=max_turns, bins=bins, scale=scale, clip=clip, mask_view=mask_view, illegal=illegal
        )
        self.team: str = _learner(self._game, team)
        """The team that learns."""
        self._place = self._game.place(self.team)
        self._core = self._game.environments(1, self.team, others)
        self._episode: tuple[int, int] | None = None
        self._status = NOT_STARTED
        self.observation_space = cast(Any, self._game.observation_space(self._place))
        self.action_space = self._game.action_space(self._place)

    @property
    def action_meanings(self) -> list[str]:
        """The text of each action, as policies and scripts are written."""
        return list(self._game.meanings[self._place])

    @property
    def observation_names(self) -> list[str]:
        """The names of the numbers of an observation; those of known values end with ``?``."""
        return self._game.core.observation_names()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return for each action whether it is valid, as the ``action_mask`` of the observation says."""
        return self._observe()["action_mask"].astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin game 0 of ``seed``, or the next game of the seed before. ``info["game"]`` are the seed and the index, by which
        ``goalspec simulate --seed SEED --first-game INDEX`` identifies the game.

        Raises:
            GameError: If the game or a policy fails.
        """
        super().reset(seed=seed)
        self._episode = next_episode(self._episode, seed)
        self._status = NOT_STARTED
        self._core.reset(0, *self._episode, 1)
        # A game that is over before the first turn of the team is so in the first step.
        self._status = RUNNING
        return self._observe(), {"game": self._episode}

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, and let the others play until the team is to move again.

        Raises:
            ResetNeeded: Before the first ``reset``, and after a game has failed.
            ValueError: If the action is not in the space, or masked out while ``illegal="raise"``.
            GameError: If the game or a policy fails; ``reset`` begins the next one.
        """
        if self._status == NOT_STARTED:
            raise ResetNeeded("reset() needs to be called before step()")
        if self._status == RUNNING and self._game.raises and not self._core.is_masked_in(0, action):
            raise self._game.masked_out(self._place, action)
        self._status = NOT_STARTED
        _, status, rewards, outside = self._core.step(0, action)
        self._status = status
        info = {"outside": outside} if outside else {}
        return self._observe(), rewards[self._place], status == COMPLETED, status == TRUNCATED, info

    def _observe(self) -> Observation:
        observation, mask = self._core.observe(0, self._place)
        return {"observation": observation, "action_mask": mask}

    def __deepcopy__(self, memo: dict[int, Any]) -> ResourceEnv:
        other = object.__new__(type(self))
        memo[id(self)] = other
        rest = {name: value for name, value in self.__dict__.items() if name != "_core"}
        other.__dict__.update(copy.deepcopy(rest, memo), _core=self._core.copy())
        return other


class ResourceVectorEnv(VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games of ``ResourceEnv`` side by side, stepped in one call. Results are fresh arrays.

    Environment ``i`` of ``n`` plays the games ``i``, ``i + n``, ``i + 2n``, .. of a seed. ``infos["game"]``, uint64[n, 2], are the seeds and the
    indices of the games that have just begun, those of ``infos["_game"]``.

    Args:
        game: A program, a library with one resource graph game, or a path.
        num_envs: The number of environments.
        team: The team that learns; by default the first.
        others: The policies of the other teams as of ``goalspec.simulate``.
        autoreset_mode: ``SAME_STEP``: the next game begins in the step in which one ends, whose final observation is ``infos["final_obs"][i]``.
            ``NEXT_STEP``: it begins in the next step, which ignores the action and has no reward.

    Raises:
        As ``ResourceEnv``.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}  # type: ignore[misc]

    def __init__(
        self,
        game: Game,
        num_envs: int,
        team: str | None = None,
        others: Policies = "random",
        *,
        autoreset_mode: AutoresetMode = AutoresetMode.SAME_STEP,
        max_turns: int = MAX_TURNS,
        bins: Bins | None = None,
        scale: Scale = None,
        clip: bool = True,
        mask_view: View = "observation",
        illegal: Illegal = "play",
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"expected at least 1 environment, found {num_envs}")
        if autoreset_mode not in (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP):
            raise ValueError(f"expected the autoreset mode SAME_STEP or NEXT_STEP, found {autoreset_mode}")
        self._game = AgentGame(
            game, max_turns=max_turns, bins=bins, scale=scale, clip=clip, mask_view=mask_view, illegal=illegal
        )
        self.num_envs = num_envs
        self.team: str = _learner(self._game, team)
        """The team that learns."""
        self._place = self._game.place(self.team)
        self._core = self._game.environments(num_envs, self.team, others)
        self._same_step = autoreset_mode == AutoresetMode.SAME_STEP
        self.metadata = {"render_modes": [], "autoreset_mode": autoreset_mode}  # type: ignore[misc]
        self.single_observation_space = self._game.observation_space(self._place)
        self.single_action_space = self._game.action_space(self._place)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._shape = (num_envs, len(self._game.core.observation_names()))
        self._mask_shape = (num_envs, len(self._game.meanings[self._place]))
        self._has_games = False
        self._ended = np.zeros(num_envs, np.bool_)

    @property
    def action_meanings(self) -> list[str]:
        """The text of each action, as policies and scripts are written."""
        return list(self._game.meanings[self._place])

    @property
    def observation_names(self) -> list[str]:
        """The names of the numbers of an observation; those of known values end with ``?``."""
        return self._game.core.observation_names()

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the games of a seed: environment ``i`` plays game ``i``, and later every ``num_envs``-th. With a list of seeds, each environment
        plays the games 0, 1, .. of its own seed. Without a seed, the next games begin.

        Raises:
            GameError: If a game or a policy fails.
        """
        count = self.num_envs
        if seed is None and self._has_games:
            self._core.next_games()
        elif seed is None or hasattr(seed, "__index__"):
            own = random_seed() if seed is None else checked_seed(seed)
            self._core.reset_all([own] * count, list(range(count)), count)
        else:
            seeds = [checked_seed(one) for one in seed]
            if len(seeds) != count:
                raise ValueError(f"expected {count} seeds, one for each environment, found {len(seeds)}")
            self._core.reset_all(seeds, [0] * count, 1)
        self._has_games = True
        self._ended[:] = False
        observations, masks = np.empty(self._shape, np.float32), np.empty(self._mask_shape, np.int8)
        self._core.observe_all(observations, masks)
        return {"observation": observations, "action_mask": masks}, self._game_infos(np.ones(count, np.bool_))

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Play an action in each environment.

        Raises:
            ResetNeeded: Before the first ``reset``, and after a game has failed.
            ValueError: If an action is not in the space, or masked out while ``illegal="raise"``. No environment is stepped then.
            GameError: If a game or a policy fails.
        """
        if not self._has_games:
            raise ResetNeeded("reset() needs to be called before step()")
        actions = np.asarray(actions)
        if actions.dtype.kind not in "iu":
            raise TypeError(f"expected integers as actions, found {actions.dtype}")
        actions = actions.astype(np.int64, copy=False)
        if self._game.raises:
            self._check(actions)
        count = self.num_envs
        observations, masks = np.empty(self._shape, np.float32), np.empty(self._mask_shape, np.int8)
        rewards, terminated, truncated = np.empty(count), np.empty(count, np.bool_), np.empty(count, np.bool_)
        outside = np.empty(count, np.uint32)
        try:
            finals = self._core.step_all(
                actions, self._same_step, observations, masks, rewards, terminated, truncated, outside
            )
        except GameError:
            self._has_games = False
            raise
        began, self._ended = self._ended, terminated | truncated
        infos: dict[str, Any] = {}
        if finals is not None:
            infos, began = self._final_infos(*finals), self._ended
            infos["final_info"] = _outside_infos(np.where(began, outside, 0))
            outside[began] = 0
        infos |= _outside_infos(outside)
        if began.any():
            infos |= self._game_infos(began)
        if self._same_step:
            self._ended = np.zeros(count, np.bool_)
        return {"observation": observations, "action_mask": masks}, rewards, terminated, truncated, infos

    def _check(self, actions: npt.NDArray[np.int64]) -> None:
        for place, action in enumerate(actions):
            if not self._ended[place] and not self._core.is_masked_in(place, action):
                raise self._game.masked_out(self._place, action)

    def _final_infos(
        self, places: list[int], observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]
    ) -> dict[str, Any]:
        final = np.full(self.num_envs, None, object)
        has_ended = np.zeros(self.num_envs, np.bool_)
        for place, observation, mask in zip(places, observations, masks, strict=True):
            final[place] = {"observation": observation, "action_mask": mask}
            has_ended[place] = True
        return {"final_obs": final, "_final_obs": has_ended, "_final_info": has_ended.copy()}

    def _game_infos(self, began: npt.NDArray[np.bool_]) -> dict[str, Any]:
        games = np.stack(self._core.games(), axis=1)
        games[~began] = 0
        return {"game": games, "_game": began.copy()}


def _outside_infos(outside: npt.NDArray[np.integer[Any]]) -> dict[str, Any]:
    return {"outside": outside.astype(np.int64), "_outside": outside > 0} if outside.any() else {}
