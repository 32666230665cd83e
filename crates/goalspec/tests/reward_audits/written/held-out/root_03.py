# causes: dead-threshold
from ocatari.ram.freeway import *

def reward_function(objects):
    chicken = objects[0]
    reward = -chicken.dy * 0.01
    if chicken.y <= 0:
        reward += 5.0
    return reward
