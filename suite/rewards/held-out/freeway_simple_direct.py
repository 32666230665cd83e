from ocatari.ram.freeway import *


def reward_function(objects):
    reward = 0
    chicken = objects[0]
    # Reward for moving up
    if chicken.dy < 0:
        reward += 1
    # Penalty for being hit
    for obj in objects:
        if obj.category == "Car":
            if chicken.is_on_top(obj) or obj.is_on_top(chicken):
                reward -= 10
    # Big reward for crossing
    if chicken.y < 20:
        reward += 100
    return reward
