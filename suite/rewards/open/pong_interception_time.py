import math

from ocatari.ram.pong import *


def time_to_reach(ball, x):
    if ball.dx <= 0:
        return math.inf
    return (x - ball.x) / ball.dx


def reflect(y, low=34, high=194):
    """Folds a position beyond the walls back into the court."""
    span = high - low
    offset = (y - low) % (2 * span)
    return low + (offset if offset <= span else 2 * span - offset)


def reward_function(objects):
    player, ball, _ = objects
    if not ball:
        return 0.0
    t = time_to_reach(ball, player.x)
    if t == math.inf:
        return 0.02
    landing = reflect(ball.y + ball.dy * t)
    needed = abs(landing - player.center[1])
    available = 5 * max(t, 0)
    slack = available - needed
    return math.tanh(slack / 40) * 0.5 + (0.25 if needed < player.h / 2 else 0)
