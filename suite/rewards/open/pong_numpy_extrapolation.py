import numpy as np

from ocatari.ram.pong import *

history = []


def fit_line(points):
    """Least squares fit y = a * x + b with the normal equations."""
    pts = np.array(points, dtype=float)
    x, y = pts[:, 0], pts[:, 1]
    xm, ym = x.mean(), y.mean()
    var = ((x - xm) ** 2).sum()
    if var == 0:
        return None
    slope = ((x - xm) * (y - ym)).sum() / var
    return slope, ym - slope * xm


def reward_function(objects):
    player, ball = objects[0], objects[1]
    if not ball:
        history.clear()
        return 0.0
    history.append(ball.xy)
    if len(history) > 6:
        history.pop(0)
    line = fit_line(history)
    if line is None:
        return -0.01
    slope, offset = line
    target = np.clip(slope * player.x + offset, 34, 190)
    error = abs(target - player.center[1])
    return float(np.where(error < 10, 0.5, -error / 200))
