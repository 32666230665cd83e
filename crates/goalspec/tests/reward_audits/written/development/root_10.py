# causes: unknown-class, unknown-class
from ocatari.ram.seaquest import *

def reward_function(objects):
    reward = 0.0
    player = objects[0]
    for o in objects:
        if o.category == "Dver" and player and player.is_on_top(o):
            reward += 1.0
        if o.category == "Submarin" and player and player.is_on_top(o):
            reward -= 1.0
    if player and player.dx > 0:
        reward += 0.01
    return reward
