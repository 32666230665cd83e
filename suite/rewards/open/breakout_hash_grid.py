from collections import defaultdict

from ocatari.ram.breakout import *

CELL = 24


def cell(x, y):
    return int(x) // CELL, int(y) // CELL


def build(blocks):
    grid = defaultdict(list)
    for block in blocks:
        grid[cell(*block.center)].append(block)
    return grid


def around(grid, x, y):
    cx, cy = cell(x, y)
    for i in (-1, 0, 1):
        for j in (-1, 0, 1):
            yield from grid.get((cx + i, cy + j), ())


def reward_function(objects):
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    grid = build(o for o in objects if isinstance(o, Block))
    density = sorted((len(v) for v in grid.values()), reverse=True)
    reward = -density[0] / 100 if density else 1.0
    if ball is None:
        return reward
    near = list(around(grid, *ball.xy))
    if near:
        closest = min(near, key=lambda b: (b.x - ball.x) ** 2 + (b.y - ball.y) ** 2)
        reward += 0.3 / (1 + ball.manathan_distance(closest))
    return reward + len(near) / 500
