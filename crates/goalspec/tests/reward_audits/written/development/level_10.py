# clean
from ocatari.ram.freeway import *

def reward_function(objects):
    chicken = objects[0]
    reward = 0.0
    if chicken.prev_y - chicken.y > 0:
        reward += 0.1
    if chicken.y < 30 and chicken.prev_y >= 30:
        reward += 1.0
    if chicken.y - chicken.prev_y > 4:
        reward -= 0.2
    return reward
