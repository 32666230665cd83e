import numpy as np

from ocatari.ram.seaquest import *


def pairwise_distances(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """All distances between the rows of two arrays."""
    difference = a[:, None, :] - b[None, :, :]
    return np.sqrt((difference ** 2).sum(axis=-1))


def positions(objects, *kinds):
    rows = [o.center for o in objects if isinstance(o, kinds)]
    return np.array(rows) if rows else np.empty((0, 2))


def reward_function(objects):
    enemies = positions(objects, Shark, Submarine)
    divers = positions(objects, Diver)
    player = positions(objects, Player)
    if player.shape[0] == 0:
        return -1.0
    reward = 0.0
    if divers.shape[0]:
        d = pairwise_distances(player, divers)
        reward += float(20 / (20 + d.min()))
    if enemies.shape[0]:
        d = pairwise_distances(player, enemies)[0]
        close = d < 40
        reward -= 0.1 * close.sum()
        reward -= float(np.where(close, 1 - d / 40, 0.0).mean())
    if enemies.shape[0] and divers.shape[0]:
        guarded = (pairwise_distances(divers, enemies) < 25).any(axis=1)
        reward -= 0.05 * np.count_nonzero(guarded)
        reward += 0.001 * np.argmax(guarded)
    return reward
