import numpy as np
import numpy.linalg as la

from ocatari.ram.spaceinvaders import *


def coordinates(objects, kind):
    return np.asarray([o.center for o in objects if isinstance(o, kind)], dtype=np.float64).reshape((-1, 2))


def reward_function(objects):
    aliens = coordinates(objects, Alien)
    bullets = coordinates(objects, Bullet)
    players = coordinates(objects, Player)
    if len(players) == 0:
        return -1.0
    player = players[0]
    reward = 0.0
    if len(bullets):
        delta = bullets - player
        weights = np.array([1.0, 0.25])
        distance = np.sqrt((weights * delta ** 2).sum(axis=1))
        reward -= 0.5 * float(np.exp(-distance / 20).max())
    if len(aliens):
        centroid = aliens.mean(axis=0)
        spread = aliens.std(axis=0, ddof=1) if len(aliens) > 1 else np.zeros(2)
        reward -= float(la.norm(centroid - player)) / 300
        reward += float(spread @ np.array([0.001, -0.002]))
        box = np.concatenate([aliens.min(axis=0), aliens.max(axis=0)])
        reward -= float(np.prod(box[2:] - box[:2])) / 1e5
        reward += float(np.isclose(aliens[:, 0], player[0], atol=4).any()) * 0.1
    return reward
