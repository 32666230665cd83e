import numpy as np

from ocatari.ram.breakout import *


def reward_function(objects):
    mask = np.array([bool(o) for o in objects[2:]], dtype=np.int32).reshape(6, 18)
    rows = mask.sum(axis=1)
    columns = mask.sum(axis=0)
    weights = np.array([7, 7, 4, 4, 1, 1])
    broken = 18 - rows
    score = int(np.dot(broken, weights))
    tunnels = np.flatnonzero(columns == 0)
    depth = (np.cumsum(mask[::-1], axis=0) == 0).sum(axis=0)
    reward = score / 100 + 0.5 * tunnels.size + depth.max() / 60
    reward -= np.count_nonzero(np.diff(depth)) / 170
    if objects[1]:
        column = np.clip((objects[1].x - 8) // 8, 0, 17)
        reward += 0.02 * depth[column]
    padded = np.append(mask[0], [1, 1])
    stacked = np.hstack([mask, np.eye(6, dtype=np.int32)])
    return float(reward + padded.mean() / 1000 + stacked.sum() / 1e5)
