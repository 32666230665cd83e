# clean
from ocatari.ram.skiing import *

def reward_function(objects):
    # keep the reward in the range [-2, 2]
    player = objects[0]
    reward = 0.0
    for tree in (o for o in objects if isinstance(o, Tree)):
        if abs(tree.x - player.x) < 6 and abs(tree.y - player.y) < 6:
            reward -= 1.0
    if reward == 0.0 and player.dx == 0:
        reward += 0.05
    return min(2, max(-2, reward))
