# clean
from ocatari.ram.seaquest import *
import math

def reward_function(objects):
    player = objects[0]
    if not player:
        return 0.0
    total = 0.0
    for o in objects[1:]:
        if isinstance(o, Diver):
            gap = math.hypot(o.x - player.x, o.y - player.y)
            total += math.exp(-gap / 20.0)
    return math.tanh(total)
