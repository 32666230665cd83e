import random

from ocatari.ram.pong import *

rng = random.Random(42)


def reward_function(objects):
    player, ball = objects[0], objects[1]
    noise = rng.uniform(-0.01, 0.01)
    if not ball:
        return noise
    return (1.0 if abs(player.center[1] - ball.y) < 10 else -0.1) + noise
