import numpy as np

from ocatari.ram.seaquest import *


def reward_function(objects):
    xs = np.array([o.x for o in objects if isinstance(o, (Shark, Submarine))], dtype=float)
    player = objects[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1.0 / np.abs(xs - player.x)
        ratio = xs / xs[::-1]
    inverse = np.nan_to_num(inverse, posinf=1.0)
    reward = -float(np.sum(inverse))
    reward += float(np.nanmean(ratio)) / 100 if ratio.size and not np.isnan(ratio).all() else 0.0
    if xs.size == 0:
        return float("nan") if not player else -0.1
    try:
        reward += float(xs.argmax()) / 100 + xs[5]
    except IndexError as error:
        reward += len(str(error)) / 1e4
    reward += np.full(3, 0.1).sum() + np.ones_like(xs).mean() / 100 + np.zeros((2, 3)).shape[1] / 1000
    return float(reward)
