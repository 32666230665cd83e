"""The environments of training: vector environments that reward by a program, and that can be brought back to where they were."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from goalspec._errors import RefusedError
from goalspec._library import Library, Program, load
from goalspec.gym import AtariRam, Extractor, Fields, VectorGoalReward
from goalspec.train._observations import ObjectVector

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Task:
    """What is learned: a program, the environment that it rewards, and what the agent sees of it.

    A task can be sent to another process: the program is given as texts.
    """

    texts: tuple[tuple[str, str], ...]
    """The texts of the library, by name."""
    options: dict[str, str | None]
    """The options with which they were loaded."""
    program: str
    """The name of the program."""
    environment: str
    """The id of the environment, or ``module:function`` of a function that makes it."""
    arguments: dict[str, Any] = field(default_factory=dict)
    """The arguments of the environment."""
    fields: dict[str, int | str] = field(default_factory=dict)
    """The places of the columns in observations, as for ``Fields``; for Atari games none are needed."""
    extractor: str | None = None
    """``module:name`` of an extractor, or of a callable with the attribute ``columns``."""
    observe: str | None = None
    """``"goal"``: observations have the state of the monitor."""
    mode: str = "replace"
    weight: float = 1.0
    horizon: int | None = None
    has_true_reward: bool = True
    """Whether the environment's own reward is what is really wanted."""

    def library(self) -> Library:
        """Load the program."""
        from goalspec import _core

        return Library._of(_core.load_texts(list(self.texts), self.options), self.options)

    def chosen(self) -> Program:
        """Return the program."""
        return self.library()[self.program]

    def to_dict(self) -> dict[str, Any]:
        """Return the task as values for JSON."""
        return {**asdict(self), "texts": [list(text) for text in self.texts]}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Task:
        """Return the task of ``to_dict``."""
        return cls(**{**values, "texts": tuple((name, text) for name, text in values["texts"])})


def task_of(program: Program | Library | str, **options: Any) -> Task:
    """Return the task of a program, which may be a path; the environment of a reward function for an Atari game is that game."""
    if isinstance(program, str):
        program = load(program)
    library = program if isinstance(program, Library) else None
    if library is not None and len(library) != 1:
        names = ", ".join(f"`{one.name}`" for one in library)
        raise ValueError(f"expected one program, found {names}: name one of them")
    chosen = library[0] if library is not None else program
    assert isinstance(chosen, Program)
    if chosen.language not in ("game", "bddl", "reward"):
        raise RefusedError(f"`{chosen.name}` is a {chosen.kind}: rewards are given by games, activities and reward functions")
    environment = options.pop("environment", None) or _default_environment(chosen)
    texts = tuple((name, text) for name, text in chosen._core.texts())
    return Task(texts=texts, options=chosen._options, program=chosen.name, environment=environment, **options)


def _default_environment(program: Program) -> str:
    game = re.fullmatch(r"atari/(\w+)", program.world or "")
    if game is None:
        raise ValueError(f"`{program.name}` is of the world `{program.world}`: name an environment with --env")
    from goalspec import _core

    return f"ALE/{_core.AtariScreen(game[1], False).game()}-v5"


def named_object(text: str) -> Any:
    """Return what ``module:name`` names.

    Raises:
        ValueError: If there is no such object.
    """
    module, separator, name = text.partition(":")
    if not separator:
        raise ValueError(f"expected `module:name`, found `{text}`")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"`{text}` cannot be imported: {error}") from error


def is_atari(environment: str) -> bool:
    """Whether an environment is an Atari game."""
    return environment.startswith("ALE/")


def make_environment(task: Task, observation: str) -> gymnasium.Env[Any, Any]:
    """Make one environment; ``observation`` is that of the preset."""
    if is_atari(task.environment):
        try:
            import ale_py
        except ImportError as error:
            raise ImportError("Atari games require ale-py: `pip install 'goalspec[atari]'`") from error
        gymnasium.register_envs(ale_py)
    elif ":" in task.environment:
        return named_object(task.environment)(**task.arguments)  # type: ignore[no-any-return]
    if not is_atari(task.environment) or observation == "pixels":
        return gymnasium.make(task.environment, disable_env_checker=True, **task.arguments)
    env = gymnasium.make(task.environment, obs_type="ram", disable_env_checker=True, **task.arguments)
    return ObjectVector(env, task.environment.removeprefix("ALE/").partition("-")[0], has_info=False)


class ObservedRam(AtariRam):
    """The objects of a game, decoded from what ``ObjectVector`` has read."""

    shared: npt.NDArray[np.uint8] | None = None
    """The memory of all consoles, uint8[environments, 128], if it is in one array."""

    def ram(self, env: Any, observation: Any) -> npt.NDArray[np.uint8]:
        while not isinstance(env, ObjectVector):
            env = env.env
        return env.ram

    def rams(self, envs: Any, observations: Any, infos: Any, where: Bools) -> npt.NDArray[np.uint8]:
        return super().rams(envs, observations, infos, where) if self.shared is None else self.shared


def extractor(task: Task, observation: str) -> Extractor | Callable[..., Any]:
    """Return what the program sees."""
    if task.extractor is not None:
        found = named_object(task.extractor)
        return found() if isinstance(found, type) else found  # type: ignore[no-any-return]
    if is_atari(task.environment):
        game = task.environment.removeprefix("ALE/").partition("-")[0]
        hud = task.chosen().language == "game"
        return AtariRam(game, hud=hud) if observation == "pixels" else ObservedRam(game, hud=hud)
    if task.fields:
        return Fields(task.fields)
    raise ValueError(f"say what the program sees of `{task.environment}`: --columns or --extractor")


class TrainingEnvs:
    """Vector environments for the trainer, in the mode ``DISABLED``, whose episodes have seeds of their own.

    An episode is a function of its seed and of its actions, so that the state of the environments is that of their episodes.

    Args:
        task: What is learned.
        count: The number of environments.
        seed: The seed of the episodes.
        observation: The observation of the preset.
        first: The number of the first environment, if others are in other processes.
    """

    def __init__(self, task: Task, count: int, seed: int, observation: str, first: int = 0) -> None:
        self.task, self.seed, self.num_envs, self._first = task, seed, count, first
        base = SyncVectorEnv(
            [lambda: make_environment(task, observation)] * count, autoreset_mode=AutoresetMode.DISABLED
        )
        observe = None if task.observe is None else "dict"
        self.rewarded = VectorGoalReward(
            base,
            task.chosen(),
            extractor(task, observation),
            mode=task.mode,
            weight=task.weight,
            observe=observe,
            horizon=task.horizon,
            on_error="zero",
        )
        self._base = base
        self.metadata = {"autoreset_mode": AutoresetMode.DISABLED}
        self.single_action_space = base.single_action_space
        self.single_observation_space: spaces.Space[Any] = base.single_observation_space
        if observe is not None:
            self.single_observation_space = _flat_space(base.single_observation_space, self.rewarded.goal.state_size)
        self.episodes = np.zeros(count, np.int64)
        """The number of the current episode of each environment."""
        self.actions: list[list[int]] = [[] for _ in range(count)]
        """The actions of the current episodes."""
        self._rams: npt.NDArray[np.uint8] | None = None
        if is_atari(task.environment) and observation == "vector":
            self._rams = np.zeros((count, 128), np.uint8)
            for env, row in zip(base.envs, self._rams, strict=True):
                env.ram = row  # type: ignore[attr-defined]
            if isinstance(self.rewarded.extractor, ObservedRam):
                self.rewarded.extractor.shared = self._rams

    def action_meanings(self) -> list[str]:
        """Return the names of the actions."""
        meanings = getattr(self._base.envs[0].unwrapped, "get_action_meanings", None)
        if meanings is not None:
            return list(meanings())
        own = getattr(self._base.envs[0].unwrapped, "action_meanings", None)
        return list(own) if own is not None else [f"action {number}" for number in range(int(self.single_action_space.n))]  # type: ignore[attr-defined]

    def observation_names(self) -> list[str]:
        """Return the names of the numbers of object vectors; none for other observations."""
        return [] if self._rams is None else list(self._base.envs[0].names)  # type: ignore[attr-defined]

    def rams(self) -> npt.NDArray[np.uint8] | None:
        """Return the memory of the consoles, uint8[environments, 128]; ``None`` for other environments."""
        return None if self._rams is None else self._rams.copy()

    def reset(self, where: Bools | None = None, *, is_next: bool = True) -> tuple[Any, dict[str, Any]]:
        """Begin the next episodes, or with ``is_next=False`` the current ones again."""
        mask = np.ones(self.num_envs, np.bool_) if where is None else where
        if is_next:
            self.episodes[mask] += 1
        for place in np.flatnonzero(mask):
            self.actions[place] = []
        seeds = [self._episode_seed(place) if mask[place] else None for place in range(self.num_envs)]
        observations, infos = self.rewarded.reset(seed=seeds, options={"reset_mask": mask.copy()})
        return self._flat(observations), infos

    def _episode_seed(self, place: int) -> int:
        key = (self.seed, self._first + place, int(self.episodes[place]))
        return int(np.random.SeedSequence(key).generate_state(1)[0] >> 1)

    def step(self, actions: Any) -> tuple[Any, Any, Bools, Bools, dict[str, Any]]:
        observations, rewards, terminated, truncated, infos = self.rewarded.step(actions)
        for own, action in zip(self.actions, actions, strict=True):
            own.append(int(action))
        return self._flat(observations), rewards, terminated, truncated, infos

    def _flat(self, observations: Any) -> Any:
        if self.task.observe is None:
            return observations
        seen = np.asarray(observations["observation"], np.float32)
        return np.concatenate([seen, observations["goal"]], axis=1)

    def state(self) -> dict[str, Any]:
        """Return the episodes and their actions so far."""
        return {"episodes": self.episodes.tolist(), "actions": [list(own) for own in self.actions]}

    def restore(self, state: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Bring the environments to a state; return the observations and infos there."""
        self.episodes = np.array(state["episodes"], np.int64)
        histories: Sequence[list[int]] = [list(own) for own in state["actions"]]
        longest = max(map(len, histories))
        everything = np.ones(self.num_envs, np.bool_)
        observations, infos = self.reset(everything, is_next=False)
        for tick in range(longest):
            # Shorter episodes begin later, so that all arrive together; until then, they play anything.
            place_in = [tick - longest + len(own) for own in histories]
            starts = np.array([place == 0 for place in place_in]) & (tick > 0)
            if starts.any():
                self.reset(starts, is_next=False)
            given = np.array([own[max(place, 0)] if own else 0 for own, place in zip(histories, place_in, strict=True)])
            observations, _, terminated, truncated, infos = self.step(given)
            early = (terminated | truncated) & np.array([place < 0 for place in place_in])
            if early.any():
                self.reset(early, is_next=False)
        fresh = np.array([not own for own in histories])
        if fresh.any() and longest:
            first, _ = self.reset(fresh, is_next=False)
            observations = np.where(fresh[:, None], first, observations)
        return observations, infos

    def close(self) -> None:
        self.rewarded.close()


def _flat_space(space: spaces.Space[Any], size: int) -> spaces.Box:
    if not isinstance(space, spaces.Box | spaces.MultiBinary) or len(space.shape or ()) != 1:
        raise TypeError(f"--observe goal appends to observations that are vectors, found {space}")
    count = int((space.shape or (0,))[0])
    low, high = (space.low, space.high) if isinstance(space, spaces.Box) else (np.zeros(count), np.ones(count))
    low, high = np.append(low, np.zeros(size)), np.append(high, np.ones(size))
    return spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)


