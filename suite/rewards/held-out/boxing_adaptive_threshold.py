from ocatari.ram.boxing import *


class RunningStats:
    """Welford's algorithm."""

    def __init__(self):
        self.n = 0
        self.mean = 0.0
        self.m2 = 0.0

    def push(self, x):
        self.n += 1
        delta = x - self.mean
        self.mean += delta / self.n
        self.m2 += delta * (x - self.mean)

    @property
    def variance(self):
        return self.m2 / (self.n - 1) if self.n > 1 else 0.0

    @property
    def std(self):
        return self.variance ** 0.5

    def z(self, x):
        return (x - self.mean) / self.std if self.std > 1e-6 else 0.0


stats = {"distance": RunningStats(), "reach": RunningStats()}


def reward_function(objects):
    me, other = objects[0], objects[1]
    values = {
        "distance": abs(me.x - other.x) + abs(me.y - other.y),
        "reach": max(me.right_arm_length, me.left_arm_length),
    }
    z = {}
    for name, value in values.items():
        stats[name].push(value)
        z[name] = stats[name].z(value)
    return max(-1.0, min(1.0, 0.3 * z["reach"] - 0.2 * z["distance"]))
