"""Reward for Skiing with a small Kalman-like filter over the horizontal position of the next gate."""
from ocatari.ram.skiing import *


class ScalarKalman:
    """A constant position filter with process noise q and measurement noise r."""

    def __init__(self, q=0.05, r=4.0):
        self.q = q
        self.r = r
        self.x = None
        self.p = 1.0

    def predict(self):
        self.p += self.q
        return self.x

    def update(self, z):
        if self.x is None:
            self.x = float(z)
            return self.x
        self.predict()
        k = self.p / (self.p + self.r)
        self.x += k * (z - self.x)
        self.p *= 1.0 - k
        return self.x

    @property
    def uncertainty(self):
        return self.p ** 0.5


_filter = ScalarKalman()


def next_gate(flags, player):
    below = [f for f in flags if f.y >= player.y]
    if len(below) < 2:
        return None
    below.sort(key=lambda f: f.y)
    a, b = below[:2]
    return (a.center[0] + b.center[0]) / 2


def reward_function(objects):
    player = objects[0]
    flags = [o for o in objects if isinstance(o, Flag)]
    gate = next_gate(flags, player)
    if gate is None:
        return -0.01
    estimate = _filter.update(gate)
    error = abs(estimate - player.center[0])
    return 1.0 - error / 80 - 0.01 * _filter.uncertainty
