import numpy as np
from ocatari.ram.skiing import *


def reward_function(objects):
    x = np.array([o.x for o in objects], dtype=np.int64)
    small = x.astype(np.uint8)
    signed = np.int32(objects[0].x)
    half = x // 2
    remainder = np.mod(x, 7)
    power = np.power(half[:3], 2)
    reward = np.sum(small) % np.int64(97)
    reward = reward + int(signed) / 1000 + remainder.sum() / 100
    reward -= np.float64(power.max()) / 1e4
    reward += bool(np.equal(x, half * 2).all()) + x.dtype.itemsize / 1000
    scalar = x[0] / 3
    reward += round(float(scalar), 2) + np.floor(scalar) / 100 + np.ceil(scalar) / 1000 - np.rint(scalar) / 1000
    a, b = divmod(int(x[1]), 5)
    return reward / 100 + a / 1000 + b / 1e4 + len(x.tolist()) / 1e4 + np.sign(x - 50).sum() / 1e4 + float(np.clip(x, 20, 60).mean()) / 1e3
