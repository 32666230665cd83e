import numpy as np

from ocatari.ram.spaceinvaders import *


def reward_function(objects):
    ys = np.array([o.y for o in objects if isinstance(o, Alien)])
    xs = np.array([o.x for o in objects if isinstance(o, Alien)])
    threat = np.select([ys > 120, ys > 80, ys > 40], [1.0, 0.5, 0.2], default=0.05)
    columns, inverse, counts = np.unique(xs, return_inverse=True, return_counts=True)
    crowding = counts[inverse]
    sums = np.bincount(inverse, weights=threat)
    reward = -np.dot(threat, crowding) / 500
    reward -= sums.max() / 20 + np.sum(np.sort(sums)[::-1][:2]) / 50
    index = np.searchsorted(columns, 80)
    reward += index / 100 + np.argwhere(counts == counts.max())[0, 0] / 1000
    picked = np.take(columns, [0, -1])
    mirrored = np.flip(picked) - 160
    reward += np.abs(mirrored).min() / 1000 + np.isin(xs, [22, 38]).sum() / 1000
    both = np.logical_or(xs < 40, xs > 120) & ~(ys > 60)
    return float(reward + both.sum() / 1000 + np.squeeze(np.expand_dims(ys, 0)).shape[0] / 1e4)
