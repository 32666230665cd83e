# clean
from ocatari.ram.seaquest import *

scratch = []

def reward_function(objects):
    scratch.clear()
    player = objects[0]
    if not player:
        return 0.0
    for o in objects[1:]:
        if isinstance(o, Shark):
            scratch.append(abs(o.x - player.x))
    return -0.01 if scratch and min(scratch) < 12 else 0.0
