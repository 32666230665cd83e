import numpy as np
from typing import Dict, List, Tuple

from ocatari.ram.seaquest import *


def compute_reward(objects: List) -> Tuple[float, Dict[str, float]]:
    # Temperature parameters for the transformed components
    survival_temp: float = 0.1
    oxygen_temp: float = 0.05
    danger_temp: float = 0.02

    player = None
    enemies = []
    missiles = []
    divers = []
    oxygen = 64
    for obj in objects:
        if isinstance(obj, Player):
            player = obj
        elif isinstance(obj, (Shark, Submarine)):
            enemies.append(obj)
        elif isinstance(obj, EnemyMissile):
            missiles.append(obj)
        elif isinstance(obj, Diver):
            divers.append(obj)
        elif isinstance(obj, OxygenBar):
            oxygen = obj.value

    if player is None:
        return -1.0, {"dead": -1.0}

    p = np.array([player.x, player.y])
    danger_reward = 0.0
    if enemies or missiles:
        e = np.array([[o.x, o.y] for o in enemies + missiles])
        d = np.sqrt(((e - p) ** 2).sum(axis=1))
        danger_reward = -float(np.sum(np.where(d < 30, (30 - d) / 30, 0.0)))
    oxygen_reward = np.exp(oxygen_temp * (oxygen - 64))
    diver_reward = 0.0
    if divers:
        x = np.array([o.x for o in divers])
        diver_reward = float(np.max(1.0 / (1.0 + np.abs(x - player.x))))
    survival_reward = survival_temp * 1.0

    total = survival_reward + 0.2 * oxygen_reward + danger_temp * danger_reward + 0.5 * diver_reward
    reward_components = {
        "survival_reward": survival_reward,
        "oxygen_reward": float(oxygen_reward),
        "danger_reward": danger_reward,
        "diver_reward": diver_reward,
    }
    return total, reward_components
