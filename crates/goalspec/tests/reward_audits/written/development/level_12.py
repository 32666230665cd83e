# clean
from ocatari.ram.seaquest import *

def reward_function(objects, prev_objects=None):
    player = objects[0]
    if not player:
        return -1.0
    on_surface = player.y <= 46
    rescued = sum(1 for o in objects if isinstance(o, CollectedDiver))
    moved_up = player.dy < 0
    return 0.02 * moved_up * (rescued > 0) - 0.01 * on_surface
