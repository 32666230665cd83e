# clean
from ocatari.ram.seaquest import *

def reward_function(objects, prev_objects=None):
    player = objects[0]
    reward = -0.001
    for o in objects:
        if isinstance(o, (Shark, Submarine)):
            reward -= 0.01
        elif isinstance(o, PlayerMissile):
            hit = any(o.is_on_top(e) for e in objects if isinstance(e, (Shark, Submarine)))
            reward += 0.5 if hit else 0.0
    return reward
