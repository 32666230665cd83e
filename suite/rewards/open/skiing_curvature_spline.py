from collections import deque

from ocatari.ram.skiing import *

path = deque(maxlen=5)


def catmull_rom(p0, p1, p2, p3, t):
    """Catmull-Rom interpolation of four values."""
    return 0.5 * (
        2 * p1
        + (-p0 + p2) * t
        + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t ** 2
        + (-p0 + 3 * p1 - 3 * p2 + p3) * t ** 3
    )


def second_difference(values):
    return [a - 2 * b + c for a, b, c in zip(values, values[1:], values[2:])]


def reward_function(objects):
    player = objects[0]
    path.append(player.x + player.w / 2)
    if len(path) < 4:
        return 0.0
    points = list(path)[-4:]
    middle = catmull_rom(*points, 0.5)
    bend = second_difference(list(path))
    smoothness = -sum(abs(b) for b in bend) / 20
    moguls = [o for o in objects if isinstance(o, Mogul)]
    hit = any(m.x <= middle <= m.x + m.w and abs(m.y - player.y) < 18 for m in moguls)
    return smoothness - (0.5 if hit else 0.0) + middle / 10000
