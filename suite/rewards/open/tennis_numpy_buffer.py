import numpy as np

from ocatari.ram.tennis import *

SIZE = 16
buffer = np.zeros((SIZE, 3))
filled = 0


def push(row):
    global buffer, filled
    buffer = np.roll(buffer, -1, axis=0)
    buffer[-1] = row
    filled = min(SIZE, filled + 1)


def reward_function(objects):
    player, enemy, ball, shadow = objects
    push([player.x, enemy.x, ball.x if ball else -1.0])
    recent = buffer[-filled:]
    valid = recent[recent[:, 2] >= 0]
    if valid.shape[0] < 2:
        return 0.0
    errors = np.abs(valid[:, 0] - valid[:, 2])
    reward = -errors.mean() / 160
    reward += np.diff(errors).mean() * -0.01
    reward += 0.001 * np.argmax(errors[::-1] > 40)
    ranks = np.argsort(np.argsort(errors, kind="stable"), kind="stable")
    reward += ranks[-1] / 1000
    return float(np.maximum(reward, -1.0)) + float(np.median(valid, axis=0)[1]) / 1e4
