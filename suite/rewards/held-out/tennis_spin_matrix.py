import numpy as np

from ocatari.ram.tennis import *


def rotation(theta):
    c, s = np.cos(theta), np.sin(theta)
    return np.array([[c, -s], [s, c]])


def reward_function(objects):
    player, enemy, ball, shadow = objects
    if not ball:
        return 0.0
    forward = np.array([0.0, -1.0])
    to_enemy = np.array(enemy.center) - np.array(player.center)
    velocity = np.array([shadow.dx, shadow.dy], dtype=float)
    R = rotation(np.pi / 2)
    sideways = R @ forward
    reward = 0.05 * float(velocity @ forward) + 0.01 * float(np.abs(velocity @ sideways))
    reward -= 0.001 * float(np.linalg.norm(to_enemy, ord=1))
    basis = np.vstack((forward, sideways))
    coordinates = basis @ velocity
    return reward + 0.001 * float(coordinates.max() - coordinates.min()) + 0.01 * float(np.trace(R))
