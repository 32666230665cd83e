import numpy as np

from ocatari.ram.pong import *


def shaped(error):
    """Piecewise reward as nested np.where, the way vectorised code writes it."""
    return np.where(error < 5, 1.0, np.where(error < 15, 0.5, np.where(error < 40, 0.1, -0.1)))


def reward_function(objects):
    ys = np.array([o.center[1] if o else np.nan for o in objects])
    vs = np.array([o.dy for o in objects], dtype=float)
    if np.isnan(ys).any():
        mean = np.nanmean(ys)
        return float(-abs(mean - 114) / 1000)
    lookahead = ys[1] + vs[1] * np.arange(5)
    lookahead = np.clip(lookahead, 34, 194)
    errors = np.abs(lookahead - ys[0])
    weights = 0.5 ** np.arange(errors.size)
    total = (shaped(errors) * weights).sum() / weights.sum()
    return float(np.round(total, 4)) + float(np.argmax(ys)) / 100
