import numpy as np

from ocatari.ram.freeway import *


def reward_function(objects):
    cars = [o for o in objects if isinstance(o, Car)]
    x = np.array([c.x for c in cars])
    y = np.array([c.y for c in cars])
    table = np.column_stack((x, y))
    stacked = np.stack([x, y], axis=0)
    extra = np.append(table, [[objects[0].x, objects[0].y]], axis=0)
    flat = np.append(x, objects[0].x)
    wide = np.hstack((table, table[:, ::-1]))
    tall = np.vstack((table, objects[0].xy))
    lanes = np.digitize(y, np.arange(27, 190, 16))
    values = np.interp(x, [0, 80, 160], [0.0, 1.0, 0.0])
    grid = np.outer(values[:3], values[-3:])
    reward = float(values @ np.linspace(0, 1, len(x))) / 10
    reward += float(np.linalg.norm(extra - extra[-1], axis=1)[:-1].min()) / 100
    reward += lanes.sum() / 1e4 + grid.max() / 10 + flat.ptp() / 1e4
    reward += wide.shape[1] / 1e3 + tall[-1, 1] / 1e4 + stacked[1, 2] / 1e5
    reward += float(np.eye(3)[lanes[0] % 3].sum()) / 1e3 + np.tile([1, 2], 3).sum() / 1e4 + np.repeat(lanes[:2], 2).sum() / 1e4
    return reward
