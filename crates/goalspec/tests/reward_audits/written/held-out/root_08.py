# causes: dead-threshold, unknown-class
from ocatari.ram.seaquest import *

def reward_function(objects):
    player = next((o for o in objects if isinstance(o, Player)), None)
    if player is None:
        return 0.0
    reward = 0.001 * abs(player.dx)
    if player.y == 0:
        reward += 1.0
    for o in objects:
        if o.category == "Sharkk" and player.is_on_top(o):
            reward -= 1.0
    return reward
