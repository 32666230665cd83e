# finds: state-leak
from ocatari.ram.seaquest import *

first_frame = True

def reward_function(objects):
    global first_frame
    if first_frame:
        first_frame = False
        return 1.0
    player = objects[0]
    return -0.01 if player and player.y < 50 else 0.0
