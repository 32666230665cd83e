# clean
from ocatari.ram.seaquest import *

calls = 0

def reward_function(objects):
    global calls
    calls += 1
    player = objects[0]
    if not player:
        return -0.5
    return 0.01 if abs(player.dx) > 0 else 0.0
