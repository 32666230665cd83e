# finds: out-of-range
from ocatari.ram.seaquest import *

def compute_reward(objects):
    # The total reward stays between -1 and 1.
    player = objects[0]
    reward = 0.0
    if not player:
        return reward
    for o in objects[1:]:
        if isinstance(o, (Shark, Submarine)):
            gap = abs(o.x - player.x) + abs(o.y - player.y)
            reward -= 20.0 / (gap + 1)
    return reward
