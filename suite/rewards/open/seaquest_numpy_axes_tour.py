import numpy as np

from ocatari.ram.seaquest import *


def reward_function(objects):
    rows = np.array([[o.x, o.y, o.w, o.h] for o in objects if o and not o.hud], dtype=np.int32)
    by_column = np.sort(rows, axis=0)
    by_row = np.sort(rows, axis=1)
    order = np.argsort(rows, axis=0, kind="stable")
    low, high = np.percentile(rows, [10, 90], axis=0)
    middle = np.median(rows, axis=1)
    quart = np.quantile(rows, 0.25, axis=0)
    steps = np.diff(by_column, axis=0)
    running = np.cumsum(rows, axis=1)
    weighted = np.average(rows, axis=0, weights=np.arange(1, len(rows) + 1))
    total = (high - low).sum() / 1000 + middle.mean() / 1000 - quart[1] / 1000
    total += steps.max() / 1000 if steps.size else 0.0
    total += running[:, -1].max() / 1000 + weighted[0] / 1000
    total += by_row[0, 0] / 1e4 + order[0].sum() / 1e4
    total += np.count_nonzero(rows > 50, axis=0)[1] / 100 + rows.max(axis=0).argmax() / 1e4
    total += np.any(rows < 5, axis=1).sum() / 1e4 + np.all(rows >= 0, axis=0).all() / 1e5
    return float(total)
