import numpy as np

from ocatari.ram.freeway import *

LANES = np.arange(27, 27 + 16 * 10, 16)


def reward_function(objects):
    chicken = objects[0]
    cars = [o for o in objects if isinstance(o, Car)]
    xs = np.array([c.x for c in cars])
    ys = np.array([c.y for c in cars])
    speeds = np.array([c.dx for c in cars])

    lane = int(np.argmin(np.abs(LANES - chicken.y)))
    order = np.argsort(ys, kind="stable")
    xs, speeds = xs[order], speeds[order]
    time_to_hit = np.where(speeds != 0, (chicken.x - xs) / np.where(speeds == 0, 1, speeds), np.inf)
    time_to_hit[time_to_hit < 0] = np.inf
    ahead = slice(max(0, lane - 1), lane + 2)
    danger = np.minimum.reduce(time_to_hit[ahead]) if time_to_hit[ahead].size else np.inf

    reward = (187 - chicken.y) / 187
    reward -= 1.0 / (1.0 + danger) if np.isfinite(danger) else 0.0
    reward += 0.001 * np.cumsum(np.sort(xs))[-1] / 100
    reward += 0.01 * np.diff(ys).mean() / 16
    return float(np.round(reward, 6))
