import numpy as np

from ocatari.ram.spaceinvaders import *

EDGES = np.linspace(0, 160, 9)


def reward_function(objects):
    aliens = np.array([[o.x + o.w / 2, o.y] for o in objects if isinstance(o, Alien)])
    player = next((o for o in objects if isinstance(o, Player)), None)
    if aliens.size == 0:
        return 2.0
    counts, _ = np.histogram(aliens[:, 0], bins=EDGES)
    if player is None:
        return -float(counts.max()) / 10
    column = int(np.digitize(player.x + 3, EDGES)) - 1
    levels, per_level = np.unique(aliens[:, 1], return_counts=True)
    reward = 0.1 * counts[column]
    reward -= 0.05 * np.count_nonzero(counts)
    reward -= float(levels[-1]) / 1000 * per_level[-1]
    reward += 0.01 * np.interp(player.x, [30, 75, 120], [-1.0, 0.0, 1.0])
    return float(np.nan_to_num(reward))
