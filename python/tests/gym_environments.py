"""Environments and extractors of the tests of rewards, in a module that other processes can import."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from conftest import TANK_WORLD
from gymnasium import spaces

import goalspec
from goalspec.gym import Fields, GoalReward

GAME = """
(define (game fill) (:domain tank)
    (:constraints (and
        (preference filled (exists (?t - tank) (then (once (< (level ?t) 1)) (once (>= (level ?t) 1)))))
        (preference full (exists (?t - tank) (at-end (>= (level ?t) 2))))))
    TERMINAL
    (:scoring (+ (count filled) (* 4 (count full)))))
"""
ENDING = GAME.replace("TERMINAL", "(:terminal (>= (count filled) 3))")
ENDLESS = GAME.replace("    TERMINAL\n", "")

TANK_REWARD = """
last = None

def reward_function(objects):
    global last
    level = objects[0].level
    gain = 0.0 if last is None else level - last
    last = level
    return 0.5 * gain + 0.25 * level
"""

GARDEN_COLUMNS = [
    "(covered pot_plant.n.01_1 water.n.06_1)",
    "(covered pot_plant.n.01_2 water.n.06_1)",
    "(ontop pot_plant.n.01_1 floor.n.01_2)",
    "(ontop pot_plant.n.01_2 floor.n.01_2)",
    "(ontop watering_can.n.01_1 shelf.n.01_1)",
]


def tank(text: str = ENDING) -> goalspec.Program:
    return goalspec.loads(text, name="fill.game", files={"tank.world.toml": TANK_WORLD})[0]


def tank_reward(text: str = TANK_REWARD) -> goalspec.Program:
    library = goalspec.loads(text, name="tank.py", files={"tank.world.toml": TANK_WORLD}, world="tank.world.toml")
    return next(program for program in library if program.language == "reward")


def garden() -> goalspec.Program:
    from conftest import ROOT

    return goalspec.load(ROOT / "examples/bddl/watering_the_garden.bddl")[0]


class Tank(gymnasium.Env[Any, Any]):
    """A tank that an agent fills (2), keeps (1) or drains (0), in halves. It may end by itself, with a probability in each step."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, ends: float = 0.0, own_reward: float = 0.125, info: dict[str, Any] | None = None) -> None:
        self.observation_space = spaces.Box(-10.0, 10.0, (2,), np.float32)
        self.action_space = spaces.Discrete(3)
        self._ends, self._own_reward, self._info = ends, own_reward, info or {}
        self.level = 0.0

    def _observation(self) -> Any:
        return np.array([self.level, 1.0], np.float32)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.level = float(self.np_random.integers(0, 5)) / 2
        return self._observation(), dict(self._info)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.level = float(np.clip(self.level + (int(action) - 1) / 2, -1.0, 3.0))
        terminated = bool(self.np_random.random() < self._ends)
        return self._observation(), self._own_reward, terminated, False, dict(self._info)


class Switches(gymnasium.Env[Any, Any]):
    """Five switches, of which an action toggles one."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, ends: float = 0.0) -> None:
        self.observation_space = spaces.MultiBinary(5)
        self.action_space = spaces.Discrete(5)
        self._ends = ends
        self.state = np.zeros(5, np.int8)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.state = self.np_random.integers(0, 2, 5).astype(np.int8)
        return self.state.copy(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.state[int(action)] ^= 1
        return self.state.copy(), 0.0, bool(self.np_random.random() < self._ends), False, {}


class Corridor(gymnasium.Env[Any, Any]):
    """A corridor of eight cells, with the exit on the right."""

    metadata: dict[str, Any] = {"render_modes": []}
    cells = 8

    def __init__(self, wall: bool = False) -> None:
        self.observation_space = spaces.Box(0.0, 1.0, (self.cells,), np.float32)
        self.action_space = spaces.Discrete(2)
        self._wall = wall
        self.cell = 0

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        mask = np.array([self.cell > 0, True], np.int8)
        return np.eye(self.cells, dtype=np.float32)[self.cell], {"action_mask": mask} if self._wall else {}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.cell = 0
        return self._seen()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        assert not (self._wall and self.cell == 0 and action == 0), "a masked action was taken"
        self.cell = max(0, self.cell + 2 * int(action) - 1)
        done = self.cell == self.cells - 1
        observation, info = self._seen()
        return observation, float(done), done, False, info


def make_corridor() -> gymnasium.Env[Any, Any]:
    return gymnasium.wrappers.TimeLimit(Corridor(), 40)


TANK = Fields({"tank.level": 0})


def wrapped_tank(limit: int = 12, ends: float = 0.0, text: str = ENDING, **options: Any) -> GoalReward:
    """A tank with a time limit, rewarded by a game."""
    env = gymnasium.wrappers.TimeLimit(Tank(ends), limit)
    return GoalReward(env, tank(text), TANK, **options)


def play_in_process(pipe: Any, env: GoalReward, seed: int) -> None:
    """Play an episode and send its rewards."""
    pipe.send(episode(env, seed))
    pipe.close()


def episode(env: Any, seed: int, steps: int = 40) -> list[float]:
    """Play an episode with actions of a generator; return its rewards."""
    generator = np.random.default_rng(seed)
    env.reset(seed=seed)
    rewards = []
    for _ in range(steps):
        _, reward, terminated, truncated, _ = env.step(int(generator.integers(0, env.action_space.n)))
        rewards.append(float(reward))
        if terminated or truncated:
            break
    return rewards


def make_tank() -> gymnasium.Env[Any, Any]:
    return gymnasium.wrappers.TimeLimit(Tank(), 32)


def corridor_state(env: Any, observation: Any, info: Any) -> Any:
    """The cell of a corridor, as the level of a tank."""
    return np.array([float(np.argmax(observation))])


corridor_state.columns = ["tank.level"]  # type: ignore[attr-defined]
