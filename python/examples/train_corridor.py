"""Learn a corridor of eight cells with the back end in numpy, in any vector environment of Gymnasium."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv

from goalspec.train.quick import Learner, Settings

CELLS = 8


class Corridor(gymnasium.Env[Any, Any]):
    """A corridor whose exit is on the right."""

    observation_space = gymnasium.spaces.Box(0.0, 1.0, (CELLS,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)
    cell = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.cell = 0
        return np.eye(CELLS, dtype=np.float32)[0], {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.cell = max(0, self.cell + 2 * int(action) - 1)
        is_exit = self.cell == CELLS - 1
        return np.eye(CELLS, dtype=np.float32)[self.cell], float(is_exit), is_exit, False, {}


envs = SyncVectorEnv([lambda: gymnasium.wrappers.TimeLimit(Corridor(), 40)] * 8)
learner = Learner(envs, Settings(steps=64, learning_rate=3e-3), seed=0)
learner.begin()
for update in range(10):
    batch, values, returns = learner.collect()
    figures = learner.update(batch, 0.0)
    print(f"update {update}: mean return {returns.mean():.3f}, entropy {figures['entropy']:.3f}")
