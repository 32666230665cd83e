import random

from ocatari.ram.seaquest import *

random.seed(7)
WEIGHTS = [random.random() for _ in range(4)]


def reward_function(objects):
    enemies = [o for o in objects if isinstance(o, (Shark, Submarine))]
    if not enemies:
        return 0.0
    sampled = random.choice(enemies)
    others = random.sample(enemies, k=min(2, len(enemies)))
    return WEIGHTS[sampled.x % 4] - sum(o.x for o in others) / 1000
