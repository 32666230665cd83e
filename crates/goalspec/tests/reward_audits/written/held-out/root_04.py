# causes: dead-threshold
from ocatari.ram.seaquest import *

def reward_function(objects):
    player = next((o for o in objects if isinstance(o, Player)), None)
    if player is None:
        return 0.0
    reward = 0.001 * player.dx
    at_surface = player.y == 0
    if at_surface:
        reward += 1.0
    return reward
