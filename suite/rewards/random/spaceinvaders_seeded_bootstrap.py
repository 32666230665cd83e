import random
from statistics import fmean

from ocatari.ram.spaceinvaders import *

rng = random.Random("bootstrap")


def bootstrap(values, rounds=5):
    return fmean(fmean(rng.choices(values, k=len(values))) for _ in range(rounds))


def reward_function(objects):
    ys = [o.y for o in objects if isinstance(o, Alien)]
    if not ys:
        return 0.0
    return -bootstrap(ys) / 200 + rng.randrange(10) / 1000
