# Tracks the formation over the last frames and estimates its velocity with least squares.
from collections import deque

from ocatari.ram.spaceinvaders import *

HISTORY = 20
track = deque(maxlen=HISTORY)


def slope(values):
    n = len(values)
    if n < 3:
        return 0.0
    mean_t = (n - 1) / 2
    mean_v = sum(values) / n
    numerator = sum((t - mean_t) * (v - mean_v) for t, v in enumerate(values))
    denominator = sum((t - mean_t) ** 2 for t in range(n))
    return numerator / denominator


def reward_function(objects):
    aliens = [o for o in objects if isinstance(o, Alien)]
    if not aliens:
        track.clear()
        return 1.0
    track.append(sum(a.x for a in aliens) / len(aliens))
    velocity = slope(track)
    player = next((o for o in objects if isinstance(o, Player)), None)
    if player is None:
        return -0.5
    expected = track[-1] + 10 * velocity
    reward = -abs(expected - player.x) / 160
    if len(track) == HISTORY and velocity == 0:
        reward -= 0.01
    track.rotate(0)
    return reward
