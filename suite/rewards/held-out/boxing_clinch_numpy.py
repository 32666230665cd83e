import numpy as np

from ocatari.ram.boxing import *


def softplus(x):
    return np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0)


def compute_reward(objects):
    me, other = objects[0], objects[1]
    a = np.asarray(me.center)
    b = np.asarray(other.center)
    offset = b - a
    distance = float(np.sqrt(np.dot(offset, offset)))
    arms = np.array([[me.right_arm_length, me.left_arm_length], [other.right_arm_length, other.left_arm_length]])
    mine, theirs = arms.max(axis=1)
    balance = arms.sum(axis=0)
    components = {
        "distance": -float(softplus((distance - 40) / 20)),
        "reach": 0.02 * float(mine) - 0.02 * float(theirs),
        "balance": -0.001 * float(np.ptp(balance)),
        "score": float(np.sign(objects[2].value - objects[3].value)),
    }
    total = float(np.sum(np.fromiter(components.values(), dtype=float)))
    return total, components
