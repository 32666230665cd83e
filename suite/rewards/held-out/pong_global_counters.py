from ocatari.ram.pong import *

hits = 0
misses = 0
steps = 0
last_dx = 0


def reward_function(objects):
    global hits, misses, steps, last_dx
    steps += 1
    player = None
    ball = None
    for obj in objects:
        if isinstance(obj, Player):
            player = obj
        if isinstance(obj, Ball):
            ball = obj
    if ball is None or player is None:
        last_dx = 0
        return 0.0
    reward = 0.0
    if last_dx > 0 and ball.dx < 0:
        hits += 1
        reward += 1.0
    if ball.x > 148:
        misses += 1
        reward -= 1.0
    last_dx = ball.dx
    accuracy = hits / (hits + misses) if hits + misses > 0 else 0.0
    return reward + 0.1 * accuracy - steps * 1e-5
