import random

from ocatari.ram.skiing import *

state = random.Random(2024)


def reward_function(objects):
    x = objects[0].x
    jitter = state.normalvariate(0, 1) + state.triangular(0, 1, 0.5) + state.expovariate(2.0) + state.betavariate(2, 3)
    return -abs(x - 76) / 100 + jitter / 100 + state.getrandbits(4) / 1000
