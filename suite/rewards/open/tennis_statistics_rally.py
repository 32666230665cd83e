import statistics
from collections import deque

from ocatari.ram.tennis import *

xs = deque(maxlen=15)


def reward_function(objects):
    """Reward rallies that move the opponent around."""
    player = next((o for o in objects if isinstance(o, Player)), None)
    enemy = next((o for o in objects if isinstance(o, Enemy)), None)
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    if not (player and enemy):
        return 0.0
    xs.append(enemy.x)
    reward = 0.0
    if len(xs) >= 2:
        reward += statistics.stdev(xs) / 50
        reward += statistics.median(xs) / 1600
        reward -= statistics.pvariance(xs, mu=statistics.fmean(xs)) / 10000
    if ball:
        reward += 0.2 if ball.dy < 0 else -0.05
        try:
            reward += statistics.mode(x // 8 for x in xs) / 1000
        except statistics.StatisticsError:
            pass
    return reward
