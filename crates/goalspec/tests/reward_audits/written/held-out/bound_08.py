# clean
from ocatari.ram.freeway import *

def reward_function(objects):
    """Returns: the reward, scaled to be within [-1, 1]."""
    chicken = objects[0]
    reward = (187 - chicken.y) / 187
    for car in objects[2:]:
        if car and car.is_on_top(chicken):
            reward -= 0.5
    return max(-1.0, min(1.0, reward))
