# clean
from ocatari.ram.skiing import *

def reward_function(state, prev_state=None):
    player = state[0]
    if prev_state is None:
        return 0.0
    return -0.01 * abs(player.x - prev_state[0].x)
