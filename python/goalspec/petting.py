"""Resource graph games as environments of PettingZoo, with a team for each agent.

>>> from goalspec import petting
>>> env = petting.aec_env("@berries", max_turns=4)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     action = None if terminated or truncated else 1
...     if action is not None:
...         print(agent, env.action_meanings(agent)[action], reward)
...     env.step(action)
ann look around 0.0
ben scout 0.0
ann look around 0.0
ben scout 0.0
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any, NoReturn, SupportsIndex

if find_spec("pettingzoo") is None:
    raise ImportError("goalspec.petting requires PettingZoo: `pip install 'goalspec[petting]'`")

from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.env_logger import EnvLogger

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
    Scale,
    View,
    next_episode,
)
from goalspec._errors import GameError

__all__ = ["ResourceAECEnv", "ResourceParallelEnv", "aec_env", "parallel_env", "raw_env"]

_AFTER_RESET = frozenset(("agents", "rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents"))


class _Agents:
    """The agents of a game, and the numbering of its episodes."""

    render_mode: None = None

    def __init__(
        self,
        game: Game,
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
        self._core = self._game.environments(1, None, ())
        self._episode: tuple[int, int] | None = None
        self.metadata: dict[str, Any] = {"name": self._game.name, "render_modes": [], "is_parallelizable": True}
        self.possible_agents: list[str] = list(self._game.teams)
        """The names of the teams."""
        places = range(len(self._game.teams))
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            self._game.teams[place]: self._game.observation_space(place) for place in places
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            self._game.teams[place]: self._game.action_space(place) for place in places
        }

    def __getattr__(self, name: str) -> Any:
        # Attributes of a running game exist only after `reset`.
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        other = object.__new__(type(self))
        memo[id(self)] = other
        rest = {name: value for name, value in self.__dict__.items() if name != "_core"}
        other.__dict__.update(copy.deepcopy(rest, memo), _core=self._core.copy())
        return other

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent: ``Dict(observation=Box, action_mask=Box)``."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of an agent: ``Discrete``, whose action 0 is the pass."""
        return self.action_spaces[agent]

    def action_meanings(self, agent: str) -> list[str]:
        """Return the text of each action of an agent, as policies and scripts are written."""
        return list(self._game.meanings[self._game.place(agent)])

    @property
    def observation_names(self) -> list[str]:
        """The names of the numbers of an observation; those of known values end with ``?``."""
        return self._game.core.observation_names()

    def close(self) -> None:
        """Do nothing: an environment has no resources outside of memory."""

    def _begin(self, seed: int | None) -> tuple[int, int]:
        """Begin the next episode; return the team to move and the status."""
        self._episode = next_episode(self._episode, seed)
        self.agents: list[str] = list(self.possible_agents)
        return self._core.reset(0, *self._episode, 1)

    def _observe(self, place: int) -> Observation:
        observation, mask = self._core.observe(0, place)
        return {"observation": observation, "action_mask": mask}


class ResourceAECEnv(_Agents, AECEnv[str, Observation, int | None]):  # type: ignore[misc]
    """A resource graph game in which the teams act in turn. Arguments and spaces are those of ``raw_env``."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin game 0 of ``seed``, or the next game of the seed before. ``infos[agent]["game"]`` are the seed and the index, by
        which ``goalspec simulate --seed SEED --first-game INDEX`` identifies the game.

        Raises:
            GameError: If the game fails.
        """
        team, status = self._begin(seed)
        agents = self.agents
        self._status = status
        self.rewards: dict[str, float] = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(agents, status == COMPLETED)
        self.truncations: dict[str, bool] = dict.fromkeys(agents, status == TRUNCATED)
        self.infos: dict[str, dict[str, Any]] = {agent: {"game": self._episode} for agent in agents}
        self._skip_agent_selection = None
        self.agent_selection: str = agents[team]

    def step(self, action: SupportsIndex | None) -> None:
        """Play an action of ``agent_selection``, or remove it with ``None`` after the game has ended.

        Raises:
            AssertionError: Before the first ``reset``.
            ValueError: If the action is not in the space, or masked out while ``illegal="raise"``.
            GameError: If the game fails; ``reset`` begins the next one.
        """
        values = self.__dict__
        if "agent_selection" not in values:
            EnvLogger.error_step_before_reset()
        if self._status != RUNNING:
            if self.agents:
                self._was_dead_step(action)
            else:
                EnvLogger.warn_step_after_terminated_truncated()
            return
        agent, core = self.agent_selection, self._core
        if action is None:
            raise ValueError(f"expected an action of {agent}, found None")
        if self._game.raises and not core.is_masked_in(0, action):
            raise self._game.masked_out(self._game.places[agent], action)
        cumulative = self._cumulative_rewards
        try:
            team, status, rewards, outside = core.step(0, action)
        except GameError:
            self._status = NOT_STARTED
            for left in (self.agents, self.rewards, cumulative, self.terminations, self.truncations, self.infos):
                left.clear()
            raise
        cumulative[agent] = 0.0
        agents = self.possible_agents
        for other, reward in zip(agents, rewards, strict=True):
            self.rewards[other] = reward
            cumulative[other] += reward
        if self.infos[agent]:
            self.infos[agent] = {}
        if outside:
            for other, info in self.infos.items():
                self.infos[other] = {**info, "outside": info.get("outside", 0) + outside}
        if status != RUNNING:
            self._status = status
            ended = self.terminations if status == COMPLETED else self.truncations
            ended.update(dict.fromkeys(agents, True))
        self.agent_selection = agents[team]

    def observe(self, agent: str) -> Observation:
        """Return what an agent observes, in fresh arrays. An agent that is not to move can only pass."""
        if "agent_selection" not in self.__dict__:
            EnvLogger.error_observe_before_reset()
        return self._observe(self._game.places[agent])

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """Iterate over the agents to act, until all are removed."""
        if "agent_selection" not in self.__dict__:
            EnvLogger.error_agent_iter_before_reset()
        return super().agent_iter(max_iter)

    def render(self) -> None:
        """Raise: there are no render modes."""
        _no_render(self)


class ResourceParallelEnv(_Agents, ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """A resource graph game in which each step is the turn of one team: the only one whose mask allows more than a pass. Arguments and
    spaces are those of ``raw_env``, and the games are the same.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin game 0 of ``seed``, or the next game of the seed before, and return observations and infos, as of ``raw_env``.

        Raises:
            GameError: If the game fails.
        """
        self._team, status = self._begin(seed)
        self._status = status
        return self._observations(), {agent: {"game": self._episode} for agent in self.agents}

    def step(
        self, actions: Mapping[str, SupportsIndex]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Play the action of the team whose turn it is, and return observations, rewards, terminations, truncations and infos of all
        agents. The actions of the other teams have no effect.

        Raises:
            AssertionError: Before the first ``reset``.
            KeyError: If the team whose turn it is has no action.
            ValueError: If an action is not in its space, or masked out while ``illegal="raise"``.
            GameError: If the game fails; ``reset`` begins the next one.
        """
        if "agents" not in self.__dict__:
            EnvLogger.error_step_before_reset()
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return {}, {}, {}, {}, {}
        agents, team = self.agents, self._team
        rewards: tuple[float, ...] = (0.0,) * len(agents)
        outside = 0
        if self._status == RUNNING:
            if agents[team] not in actions:
                raise KeyError(f"expected an action of {agents[team]}, whose turn it is; found {list(actions)}")
            self._check(actions)
            try:
                self._team, self._status, rewards, outside = self._core.step(0, actions[agents[team]])
            except GameError:
                self.agents = []
                raise
        ended = (self._status == COMPLETED, self._status == TRUNCATED)
        infos: dict[str, dict[str, Any]] = {agent: {"outside": outside} if outside else {} for agent in agents}
        observations = self._observations()
        if self._status != RUNNING:
            self.agents = []
        return (
            observations,
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, ended[0]),
            dict.fromkeys(agents, ended[1]),
            infos,
        )

    def render(self) -> None:
        """Raise: there are no render modes."""
        _no_render(self)

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._observe(place) for place, agent in enumerate(self.possible_agents)}

    def _check(self, actions: Mapping[str, SupportsIndex]) -> None:
        """Raise for actions outside of their spaces, and for those that are masked out if the environment does not play them."""
        for agent, action in actions.items():
            place, index = self._game.place(agent), action.__index__()
            count = len(self._game.meanings[place])
            if not 0 <= index < count:
                raise ValueError(f"expected an action of {agent} from 0 to {count - 1}, found {action}")
            if self._game.raises:
                is_legal = self._core.is_masked_in(0, index) if place == self._team else index == 0
                if not is_legal:
                    raise self._game.masked_out(place, action)


def _no_render(env: _Agents) -> NoReturn:
    raise NotImplementedError(f"{type(env).__name__} has no render modes; `goalspec describe --board svg` draws the board")


def raw_env(
    game: Game,
    *,
    max_turns: int = MAX_TURNS,
    bins: Bins | None = None,
    scale: Scale = None,
    clip: bool = True,
    mask_view: View = "observation",
    illegal: Illegal = "play",
) -> ResourceAECEnv:
    """Return a resource graph game as an environment of PettingZoo in which the teams act in turn.

    The observation of each team is a dictionary with two arrays, whose lengths are the same in all states:

    * ``observation``, float32: for each resource its value and whether it is known. Texts and enumerations are one-hot, sets multi-hot. A
      resource that the team does not see has its initial value, which is not known.
    * ``action_mask``, int8: 1 for each action that is valid: its requirement holds after its cost and, if it picks a vector, one is left.

    Actions are numbered: 0 is the pass, and the choices of the team follow in the order of the file with all values of their parameters.
    The reward of a step is the change of the total of each team since the step before. The end of the game is ``terminated`` for all
    agents, the maximum number of turns ``truncated``. If a step wrote values outside their declared spaces, ``infos[agent]["outside"]``
    is their number since the last turn of the agent.

    Args:
        game: A program, a library with one resource graph game, or a path.
        max_turns: The maximum number of turns of a game.
        bins: By the names of numeric parameters, the number of values by which a range is represented, evenly spaced with both ends, or
            the values.
        scale: ``"range"`` to scale numbers with a declared range to 0 to 1.
        clip: Whether numbers outside their declared range are shown as its nearest end. Otherwise numbers have no bounds, since games
            may leave their ranges.
        mask_view: ``"truth"`` to decide masks by the true state, including what a team does not see.
        illegal: What happens to an action that is masked out: ``"play"`` plays it, with its cost, as in the game; ``"raise"`` raises
            ``ValueError``.

    Raises:
        CheckError: If the game has errors.
        RefusedError: If a resource is free text, a parameter without bins has infinitely many values, or a team has more than 65,536
            actions.
        ValueError: If an argument is invalid.
    """
    return ResourceAECEnv(
        game, max_turns=max_turns, bins=bins, scale=scale, clip=clip, mask_view=mask_view, illegal=illegal
    )


def aec_env(
    game: Game,
    *,
    max_turns: int = MAX_TURNS,
    bins: Bins | None = None,
    scale: Scale = None,
    clip: bool = True,
    mask_view: View = "observation",
    illegal: Illegal = "play",
) -> ResourceAECEnv:
    """Return the same environment as ``raw_env``: the checks of the usual wrappers are inside, so that it is used without them."""
    return raw_env(game, max_turns=max_turns, bins=bins, scale=scale, clip=clip, mask_view=mask_view, illegal=illegal)


def parallel_env(
    game: Game,
    *,
    max_turns: int = MAX_TURNS,
    bins: Bins | None = None,
    scale: Scale = None,
    clip: bool = True,
    mask_view: View = "observation",
    illegal: Illegal = "play",
) -> ResourceParallelEnv:
    """Return a resource graph game as a parallel environment of PettingZoo, with the arguments, spaces and games of ``raw_env``.

    A step is one turn: the mask of the team whose turn it is has its valid actions, and those of the others allow the pass alone.
    """
    return ResourceParallelEnv(
        game, max_turns=max_turns, bins=bins, scale=scale, clip=clip, mask_view=mask_view, illegal=illegal
    )
