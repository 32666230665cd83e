import random
from ocatari.ram.freeway import *


class Dropout:
    """Ignores each term with some probability, reproducibly."""

    def __init__(self, p, seed=0):
        self.p = p
        self.rng = random.Random(seed)

    def __call__(self, value):
        return 0.0 if self.rng.random() < self.p else value / (1 - self.p)


drop = Dropout(0.3, seed=123)


def reward_function(objects):
    chicken = objects[0]
    terms = [-chicken.dy * 0.1, (187 - chicken.y) / 187, -0.5 * any(chicken.iou(o) > 0 for o in objects[2:12])]
    return sum(drop(term) for term in terms)
