"""Resource graph games with their spaces, shared by the environments of PettingZoo and Gymnasium."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, SupportsIndex, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from goalspec import _core
from goalspec._games import _game, _policies
from goalspec._library import Library, Path, Program

MAX_TURNS = 10_000
"""The default maximum number of turns, that of ``goalspec simulate``."""

MAX_SEED = 2**64 - 1

RUNNING, COMPLETED, TRUNCATED, NOT_STARTED = range(4)
"""The status of a game."""

Game: TypeAlias = Program | Library | Path
Bins: TypeAlias = Mapping[str, int | Sequence[float]]
Scale: TypeAlias = Literal["range"] | None
View: TypeAlias = Literal["observation"] | Literal["truth"]
Illegal: TypeAlias = Literal["play"] | Literal["raise"]
Policies: TypeAlias = str | Iterable[str] | Mapping[str, str]


class Observation(TypedDict):
    """What a team observes."""

    observation: npt.NDArray[np.float32]
    """For each resource its value, in one or more numbers, and whether it is known."""
    action_mask: npt.NDArray[np.int8]
    """For each action whether it is valid, as far as the team observes."""


class AgentGame:
    """A resource graph game with the spaces of its teams. Arguments are documented in ``goalspec.petting.raw_env``."""

    def __init__(
        self,
        game: Game,
        *,
        max_turns: int,
        bins: Bins | None,
        scale: Scale,
        clip: bool,
        mask_view: View,
        illegal: Illegal,
    ) -> None:
        if not 1 <= max_turns < 2**32:
            raise ValueError(f"expected max_turns from 1 to {2**32 - 1}, found {max_turns}")
        if scale not in (None, "range"):
            raise ValueError(f'expected None or "range" for scale, found {scale!r}')
        if mask_view not in ("observation", "truth"):
            raise ValueError(f'expected "observation" or "truth" for mask_view, found {mask_view!r}')
        if illegal not in ("play", "raise"):
            raise ValueError(f'expected "play" or "raise" for illegal, found {illegal!r}')
        program = _game(game)
        self.core = _core.compile_resource_game(
            program._core, program._index, dict(bins or {}), scale is not None, clip, mask_view == "observation"
        )
        self.max_turns = max_turns
        self.raises = illegal == "raise"
        self.name = self.core.name()
        self.teams = self.core.teams()
        self.places = {team: place for place, team in enumerate(self.teams)}
        self.meanings = [self.core.actions(place) for place in range(len(self.teams))]
        low, high = self.core.observation_bounds()
        self.bounds = (low, high)

    def __deepcopy__(self, memo: dict[int, Any]) -> AgentGame:
        # It is never changed.
        return self

    def observation_space(self, team: int) -> spaces.Dict:
        """Return a new observation space of a team."""
        low, high = self.bounds
        mask = spaces.Box(0, 1, (len(self.meanings[team]),), np.int8)
        return spaces.Dict({"observation": spaces.Box(low, high, dtype=np.float32), "action_mask": mask})

    def action_space(self, team: int) -> spaces.Discrete:
        """Return a new action space of a team."""
        return spaces.Discrete(len(self.meanings[team]))

    def place(self, team: str) -> int:
        """Return the index of a team."""
        if team not in self.places:
            raise KeyError(f"unknown team {team!r}; expected one of {', '.join(self.teams)}")
        return self.places[team]

    def environments(self, count: int, learner: str | None, others: Policies) -> _core.ResourceEnvironments:
        """Create environments of a learning team, or of all teams."""
        texts = _policies(others)
        if learner is not None and any(text.startswith(f"{learner}=") for text in texts):
            raise ValueError(f"{learner} learns, and so has no policy; found {others!r}")
        return self.core.environments(count, self.max_turns, None if learner is None else self.place(learner), texts)

    def masked_out(self, team: int, action: SupportsIndex) -> ValueError:
        """Return the exception for an action that is masked out."""
        index = action.__index__()
        return ValueError(f"the action {index} of {self.teams[team]}, {self.meanings[team][index]!r}, is masked out")


def checked_seed(seed: Any) -> int:
    """Return a seed of the simulator."""
    index: int = seed.__index__()
    if not 0 <= index <= MAX_SEED:
        raise ValueError(f"expected a seed from 0 to {MAX_SEED}, found {seed}")
    return index


def random_seed() -> int:
    """Return a random seed, short enough to be typed."""
    return int(np.random.default_rng().integers(2**32))


def next_episode(before: tuple[int, int] | None, seed: Any) -> tuple[int, int]:
    """Return the seed and the index of the next game: game 0 of a given seed, or the game after the one before. The first game without a
    seed has a random one.
    """
    if seed is not None:
        return checked_seed(seed), 0
    if before is None:
        return random_seed(), 0
    return before[0], before[1] + 1
