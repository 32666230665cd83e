# finds: out-of-range
from ocatari.ram.freeway import *

def reward_function(objects):
    """
    Computes the reward for the current state.

    Returns: the reward, scaled to be within [-1, 1].
    """
    chicken = objects[0]
    reward = 0.0
    for car in objects[2:]:
        if abs(car.y - chicken.y) < 40:
            reward -= 0.4
    reward += (187 - chicken.y) / 187
    return reward
