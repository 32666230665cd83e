from ocatari.ram.pong import *


def reward_function(objects):
    return sum(1.0 for o in objects if isinstance(o, Bal))
