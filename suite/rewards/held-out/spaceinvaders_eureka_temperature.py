import numpy as np
from typing import Dict, Tuple

from ocatari.ram.spaceinvaders import *


def compute_reward(objects) -> Tuple[float, Dict[str, float]]:
    """
    Components:
    - kill_reward: fraction of aliens destroyed, exponentially scaled
    - dodge_reward: distance to the nearest falling bullet
    - aim_reward: horizontal alignment with the nearest alien
    - invasion_penalty: how low the formation is
    """
    player = [o for o in objects if isinstance(o, Player)]
    aliens = [o for o in objects if isinstance(o, Alien)]
    bullets = [o for o in objects if isinstance(o, Bullet) and o.dy > 0]

    kill_temperature = 3.0
    dodge_temperature = 25.0
    aim_temperature = 12.0
    invasion_temperature = 40.0

    destroyed = (36 - len(aliens)) / 36
    kill_reward = float(np.expm1(destroyed * kill_temperature) / np.expm1(kill_temperature))

    dodge_reward = 0.0
    aim_reward = 0.0
    if player:
        px, py = player[0].center
        if bullets:
            pos = np.array([b.center for b in bullets])
            dist = np.hypot(pos[:, 0] - px, pos[:, 1] - py)
            dodge_reward = -float(np.exp(-dist.min() / dodge_temperature))
        if aliens:
            dx = np.abs(np.array([a.center[0] for a in aliens]) - px)
            aim_reward = float(np.exp(-dx.min() / aim_temperature))

    lowest = max([a.y for a in aliens], default=0)
    invasion_penalty = -float(1 / (1 + np.exp(-(lowest - 140) / invasion_temperature)))

    reward = 2.0 * kill_reward + 0.5 * dodge_reward + 0.2 * aim_reward + 0.3 * invasion_penalty
    return reward, {
        "kill_reward": kill_reward,
        "dodge_reward": dodge_reward,
        "aim_reward": aim_reward,
        "invasion_penalty": invasion_penalty,
    }
