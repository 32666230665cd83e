from ocatari.ram.skiing import *


def auto_repr(cls):
    """Adds a __repr__ with all public attributes."""

    def __repr__(self):
        fields = ", ".join(f"{k}={v!r}" for k, v in vars(self).items() if not k.startswith("_"))
        return f"{cls.__name__}({fields})"

    cls.__repr__ = __repr__
    return cls


def singleton(cls):
    instances = {}

    def get(*args, **kwargs):
        if cls not in instances:
            instances[cls] = cls(*args, **kwargs)
        return instances[cls]

    return get


@auto_repr
class Gate:
    def __init__(self, left, right):
        self.left, self.right = left, right
        self._width = right - left

    def error(self, x):
        return 0 if self.left <= x <= self.right else min(abs(x - self.left), abs(x - self.right))


@singleton
class Totals:
    def __init__(self, scale=1.0):
        self.scale, self.error, self.frames = scale, 0.0, 0

    def add(self, error):
        self.frames += 1
        self.error += error / self.scale
        return self.error / self.frames


def reward_function(objects):
    xs = sorted(o.x for o in objects if isinstance(o, Flag) and o.y > objects[0].y)[:2]
    if len(xs) < 2:
        return 0.0
    gate = Gate(*xs)
    average = Totals(160).add(gate.error(objects[0].x))
    return 1 - average - len(repr(gate)) / 1000 - gate._width / 1000
