from ocatari.ram.breakout import *


def analyse(objects):
    """First pass: count. Second pass: weigh by what was counted."""
    per_row = {}
    for o in objects:
        if isinstance(o, Block):
            per_row[o.y] = per_row.get(o.y, 0) + 1
    weights = {y: 1 / n for y, n in per_row.items()}
    value = 0.0
    for o in objects:
        if isinstance(o, Block):
            value += weights[o.y] * (1 if o.x < 80 else -1)
    return per_row, value


def reward_function(objects):
    per_row, balance = analyse(objects)
    nearly_empty = [y for y, n in per_row.items() if n <= 6]
    reward = abs(balance) * 0.05 + 0.2 * len(nearly_empty)
    ball = [o for o in objects if isinstance(o, Ball)]
    while ball:
        b = ball.pop()
        if b.dy < 0 and nearly_empty:
            reward += 0.1
        if b.y < min(per_row, default=0):
            reward += 1.0
    return reward
