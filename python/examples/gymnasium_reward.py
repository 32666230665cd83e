"""Reward a Gymnasium environment by a game, and play it with random actions."""

from typing import Any

import gymnasium
import numpy as np

import goalspec
from goalspec.gym import Fields, GoalReward

WORLD = """
name = "tank"
[types]
tank = {}
[objects]
tank = { type = "tank", name = "tank" }
[attributes]
level = { kind = "real", of = "tank", required = true }
[functions]
level = { parameters = "?t - tank", attribute = "level" }
"""
GAME = """
(define (game fill) (:domain tank)
    (:constraints (and
        (preference filled (exists (?t - tank) (then (once (< (level ?t) 1)) (hold (< (level ?t) 3)) (once (>= (level ?t) 3)))))
        (preference full (exists (?t - tank) (at-end (>= (level ?t) 3))))))
    (:scoring (+ (count filled) (* 2 (count full)))))
"""


class Tank(gymnasium.Env[Any, Any]):
    """A tank that an agent fills (2), keeps (1) or drains (0)."""

    observation_space = gymnasium.spaces.Box(0.0, 4.0, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(3)
    level = 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.level = 0.0
        return np.array([self.level], np.float32), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.level = min(max(self.level + int(action) - 1, 0.0), 4.0)
        return np.array([self.level], np.float32), 0.0, False, False, {}


library = goalspec.loads(GAME, name="fill.game", files={"tank.world.toml": WORLD})
env = GoalReward(gymnasium.wrappers.TimeLimit(Tank(), 60), library, Fields({"tank.level": 0}), observe="flat")
env.action_space.seed(0)
for seed in range(3):
    observation, _ = env.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        total, over = total + float(reward), terminated or truncated
    print(f"episode {seed}: rewards {total}, score {info['goal']['score']}, counts {info['goal']['counts']}")
print(f"an observation has {len(observation)} numbers, of which {len(observation) - 1} are the state of the monitor")
