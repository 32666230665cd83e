# finds: state-leak
from ocatari.ram.skiing import *

def make_reward():
    passed = 0
    def reward(objects):
        nonlocal passed
        player = objects[0]
        bonus = 0.0
        for o in objects:
            if isinstance(o, Flag) and abs(o.y - player.y) < 3:
                passed += 1
                bonus = 1.0 / passed
        return bonus
    return reward

_inner = make_reward()

def reward_function(objects):
    return _inner(objects)
