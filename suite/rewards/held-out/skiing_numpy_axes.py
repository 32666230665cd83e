import numpy as np

from ocatari.ram.skiing import *


def boxes(objects, kind):
    rows = [o.xywh for o in objects if isinstance(o, kind)]
    return np.array(rows, dtype=float).reshape(-1, 4)


def reward_function(objects):
    player = np.array(objects[0].xywh, dtype=float)
    obstacles = np.vstack([boxes(objects, Tree), boxes(objects, Mogul)])
    flags = boxes(objects, Flag)
    reward = 0.0
    if obstacles.shape[0]:
        centers = obstacles[:, :2] + obstacles[:, 2:] / 2
        mine = player[:2] + player[2:] / 2
        delta = np.abs(centers - mine)
        l1 = delta.sum(axis=1)
        reward -= float((20.0 / (1.0 + l1)).max())
        reward -= 0.01 * np.count_nonzero(delta[:, 0] < 20)
        nearest = delta[np.argmin(l1)]
        reward += 0.001 * nearest.mean()
    if flags.shape[0] >= 2:
        low, high = flags[:, 0].min(), flags[:, 0].max()
        reward += 0.5 * bool(np.all([low < player[0], player[0] < high]))
        reward -= 0.01 * np.median(np.abs(flags[:, 0] - player[0]))
        reward += float(np.percentile(flags[:, 1], 75)) / 1000
    return reward
