"""Resource graph games as games of OpenSpiel.

A state is the decision of the team to move, or a chance node with the outcomes of its move. The actions and the observations are those of
``goalspec.petting``, the legal actions those of the mask, and the return of a team is the change of its total since the beginning. The
information state of a team is the sequence of its observations and actions.

``register`` makes the game ``goalspec`` known, whose parameters are ``path``, ``dialect`` and ``max_turns``::

    goalspec.openspiel.register()
    pyspiel.load_game("goalspec(path=@berries,max_turns=10)")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from goalspec import _core
from goalspec._agents import RUNNING, AgentGame, Bins, Game
from goalspec._library import load
from goalspec._optional import require

__all__ = ["game", "register"]

MAX_OUTCOMES = 4096
"""The maximum number of outcomes of a move, that of the engine."""

MAX_TEAMS = 64
"""The maximum number of teams of a registered game."""

DEFAULT_TURNS = 100


_known_classes: list[tuple[Any, Any]] = []
"""The classes of games and of states, once they are made."""


def _pyspiel() -> ModuleType:
    return require("pyspiel", "openspiel")


def _classes() -> tuple[Any, Any]:
    """Return the classes of games and of states. Their bases are known only where OpenSpiel is installed."""
    if not _known_classes:
        pyspiel = _pyspiel()
        game = type("ResourceGame", (_GameMethods, pyspiel.Game), {})
        _known_classes.append((game, type("ResourceState", (_StateMethods, pyspiel.State), {})))
    return _known_classes[0]


def _type(teams: int | None, name: str) -> Any:
    pyspiel = _pyspiel()
    return pyspiel.GameType(
        short_name="goalspec",
        long_name=name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.REWARDS,
        max_num_players=teams or MAX_TEAMS,
        min_num_players=teams or 1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"path": "@berries", "dialect": "documented", "max_turns": DEFAULT_TURNS},
    )


class _GameMethods:
    """A resource graph game."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        parameters = {"path": "@berries", "dialect": "documented", "max_turns": DEFAULT_TURNS, **(params or {})}
        library = load(parameters["path"], dialect=parameters["dialect"])
        self._begin(_agents(library, parameters["max_turns"], None), parameters)

    def _begin(self, agents: AgentGame, parameters: dict[str, Any]) -> None:
        self.agents = agents
        teams = len(agents.teams)
        pyspiel = _pyspiel()
        information = pyspiel.GameInfo(
            num_distinct_actions=max(len(meanings) for meanings in agents.meanings),
            max_chance_outcomes=MAX_OUTCOMES,
            num_players=teams,
            min_utility=-np.inf,
            max_utility=np.inf,
            max_game_length=agents.max_turns,
        )
        pyspiel.Game.__init__(self, _type(teams, agents.name), information, parameters)

    def new_initial_state(self) -> Any:
        """Return the state before the first turn."""
        return _classes()[1](self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the maximum number of chance nodes: one for each turn."""
        return self.agents.max_turns

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """Return an observer of the observations of the teams."""
        if params:
            raise ValueError(f"expected no parameters of observations, found {params}")
        return _Observer(self, iig_obs_type is not None and iig_obs_type.perfect_recall)


@dataclass(frozen=True)
class _Node:
    """A node of the tree of a game."""

    position: _core.GamePosition
    """The position, or that before the move at a chance node."""
    levels: list[float]
    """The totals of the teams."""
    rewards: list[float]
    """The changes of the totals since the node before."""
    memory: tuple[tuple[tuple[bytes, int], ...], ...]
    """For each team, its observations and actions so far."""
    pending: tuple[list[float], list[_core.GamePosition]] | None = None
    """At a chance node, the probabilities of the outcomes of the move, and the positions after it."""

    def __deepcopy__(self, memo: dict[int, Any]) -> _Node:
        # It is never changed.
        return self

    def after(self, position: _core.GamePosition) -> _Node:
        """Return the node of an outcome."""
        levels = position.levels()
        rewards = [after - before for before, after in zip(self.levels, levels, strict=True)]
        return _Node(position, levels, rewards, self.memory)


class _StateMethods:
    """A decision of a team, a chance node with the outcomes of a move, or the end of the game."""

    def __init__(self, game: Any) -> None:
        _pyspiel().State.__init__(self, game)
        self._agents: AgentGame = game.agents
        position = self._agents.core.initial_position(self._agents.max_turns)
        levels = position.levels()
        self._first = levels
        self._node = _Node(position, levels, [0.0] * len(levels), ((),) * len(levels))

    def current_player(self) -> int:
        """Return the index of the team to move, or the player of chance or of the end."""
        if self._node.pending is not None:
            return int(_pyspiel().PlayerId.CHANCE)
        team, status = self._node.position.turn()
        return team if status == RUNNING else int(_pyspiel().PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._node.pending is None and self._node.position.turn()[1] != RUNNING

    def _legal_actions(self, player: int) -> list[int]:
        if player != self.current_player() or player < 0:
            return []
        # Where the team observes no valid action, it passes.
        return self._node.position.legal() or [0]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the move, with their probabilities."""
        return [] if self._node.pending is None else list(enumerate(self._node.pending[0]))

    def _apply_action(self, action: int) -> None:
        node = self._node
        if node.pending is not None:
            self._node = node.after(node.pending[1][action])
            return
        core, (team, _) = self._agents.core, node.position.turn()
        step = (node.position.observe(core, team).tobytes(), action)
        memory = (*node.memory[:team], (*node.memory[team], step), *node.memory[team + 1 :])
        probabilities, positions = node.position.outcomes(core, action)
        moved = _Node(node.position, node.levels, [0.0] * len(node.levels), memory, (probabilities, positions))
        self._node = moved.after(positions[0]) if len(positions) == 1 else moved

    def _action_to_string(self, player: int, action: int) -> str:
        if player == _pyspiel().PlayerId.CHANCE:
            return f"outcome {action}"
        return self._agents.meanings[player][action]

    def rewards(self) -> list[float]:
        """Return the change of the total of each team since the state before."""
        return list(self._node.rewards)

    def returns(self) -> list[float]:
        """Return the change of the total of each team since the beginning."""
        return [level - first for level, first in zip(self._node.levels, self._first, strict=True)]

    def observation_of(self, team: int) -> Any:
        """Return the observation of a team as numbers: those before the move at a chance node."""
        return self._node.position.observe(self._agents.core, team)

    def information_of(self, team: int) -> str:
        """Return the observations and actions of a team so far, and its observation now, as text."""
        steps = [
            f"{_numbers(np.frombuffer(observation, np.float32))} {self._agents.meanings[team][action]}"
            for observation, action in self._node.memory[team]
        ]
        return "; ".join([*steps, self.observed_text(team)])

    def observed_text(self, team: int) -> str:
        """Return the observation of a team as text."""
        return f"{self._agents.teams[team]} {_numbers(self.observation_of(team))}"

    def __str__(self) -> str:
        texts = (self.observed_text(team) for team in range(len(self._agents.teams)))
        pending = self._node.pending
        chance = "" if pending is None else f"{len(pending[0])} outcomes of a move; "
        return chance + "; ".join(texts)


def _numbers(observation: Any) -> str:
    return "[" + " ".join(f"{number:g}" for number in observation.tolist()) + "]"


class _Observer:
    """The observations of the teams, by the protocol of OpenSpiel's observers. Histories have no form as numbers."""

    def __init__(self, game: Any, perfect_recall: bool) -> None:
        teams, width = len(game.agents.teams), len(game.agents.core.observation_names())
        self._perfect_recall = perfect_recall
        self.tensor = np.zeros(teams + width, np.float32)
        self.dict = {"player": self.tensor[:teams], "observation": self.tensor[teams:]}

    def set_from(self, state: _StateMethods, player: int) -> None:
        """Write what ``player`` observes in ``state``."""
        self.dict["player"].fill(0)
        self.dict["player"][player] = 1
        self.dict["observation"][:] = state.observation_of(player)

    def string_from(self, state: _StateMethods, player: int) -> str:
        """Return what ``player`` observes in ``state`` or, with perfect recall, has observed and done."""
        return state.information_of(player) if self._perfect_recall else state.observed_text(player)


def _agents(game: Game, max_turns: int, bins: Bins | None) -> AgentGame:
    return AgentGame(
        game, max_turns=max_turns, bins=bins, scale=None, clip=True, mask_view="observation", illegal="play"
    )


def game(game: Game, *, max_turns: int = DEFAULT_TURNS, bins: Bins | None = None) -> Any:
    """Return a resource graph game as a ``pyspiel.Game``.

    Args:
        game: A program, a library with one resource graph game, or a path.
        max_turns: The maximum number of turns, after which the game is over.
        bins: The values of parameters, as of ``goalspec.petting.raw_env``.

    Raises:
        RefusedError: As ``goalspec.petting.raw_env``, and for a game that draws random numbers in expressions, filters or custom
            results, or whose moves have more than 4,096 outcomes. Where only some states do, the exception is raised there.
    """
    resource_game = _classes()[0]
    other = resource_game.__new__(resource_game)
    other._begin(_agents(game, max_turns, bins), {"max_turns": max_turns})
    return other


def register() -> None:
    """Register the game ``goalspec``, unless it is known."""
    pyspiel = _pyspiel()
    if "goalspec" not in pyspiel.registered_names():
        pyspiel.register_game(_type(None, "Resource graph games"), _classes()[0])
