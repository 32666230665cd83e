from itertools import pairwise, tee

from ocatari.ram.breakout import *


def gaps(values):
    a, b = tee(values)
    next(b, None)
    return [y - x for x, y in zip(a, b)]


def reward_function(objects):
    """Encourage tunnels: a large gap in a row of blocks lets the ball reach the top."""
    rows = {}
    for o in objects:
        if o.category == "Block":
            rows.setdefault(o.y, []).append(o.x)
    tunnel = 0
    for y, xs in sorted(rows.items()):
        row = gaps(iter([0] + sorted(xs) + [152]))
        tunnel = max(tunnel, max(row))
    steps = sum(1 for a, b in pairwise(sorted(rows)) if len(rows[a]) > len(rows[b]))
    ball = next((o for o in objects if o.category == "Ball"), None)
    high = 0.2 if ball is not None and ball.y < 57 else 0.0
    return tunnel / 152 + steps * 0.05 + high
