import math
from itertools import product
from ocatari.ram.breakout import *

WEIGHTS = {"x": (0.1, 0.3), "y": (0.2, 0.4)}


def dot(*vectors):
    return sum(math.prod(parts) for parts in zip(*vectors))


def reward_function(objects):
    player, ball = objects[0], objects[1]
    if not ball:
        return -0.1
    position = (ball.x / 160, ball.y / 210)
    velocity = (ball.dx / 10, ball.dy / 10)
    offset = ((player.center[0] - ball.x) / 160, (player.y - ball.y) / 210)
    reward = dot(position, velocity) - dot(offset, offset) / 2 + dot(position, velocity, (1, -1))
    for (name, pair), (index, w) in product(WEIGHTS.items(), enumerate((1, -1))):
        reward += w * pair[index] * getattr(ball, name) / 1000
    total = 0
    for r, c in product(range(6), range(18)):
        block = objects[2 + 18 * r + c]
        total += (r + 1) * (c % 2) if block else 0
    return reward + total / 1e4 + math.factorial(4) / 1e5 + math.isqrt(total) / 1e5
