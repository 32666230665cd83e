import random

from ocatari.ram.breakout import *


def reward_function(objects):
    blocks = [o for o in objects if isinstance(o, Block)]
    # the same order in every call
    rng = random.Random(len(blocks))
    rng.shuffle(blocks)
    chosen = blocks[:5]
    target = rng.randint(8, 152)
    return sum(abs(b.x - target) for b in chosen) / 1000 + rng.gauss(0, 0.01)
