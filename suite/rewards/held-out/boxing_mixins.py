from ocatari.ram.boxing import *


class Named:
    def __init__(self, *args, name="?", **kwargs):
        super().__init__(*args, **kwargs)
        self.name = name


class Scaled:
    def __init__(self, *args, scale=1.0, **kwargs):
        super().__init__(*args, **kwargs)
        self.scale = scale

    def value(self, me, other):
        return self.scale * super().value(me, other)


class Base:
    def __init__(self, offset=0.0):
        self.offset = offset

    def value(self, me, other):
        return self.offset


class Distance(Named, Base):
    def value(self, me, other):
        return super().value(me, other) - abs(me.x - other.x) / 160


class ScaledDistance(Scaled, Distance):
    pass


class Guard(Named, Scaled, Base):
    def value(self, me, other):
        exposed = max(other.right_arm_length, other.left_arm_length)
        return super().value(me, other) - exposed / 320


TERMS = [ScaledDistance(0.5, scale=0.5, name="distance"), Guard(name="guard", scale=2), Distance(name="raw")]


def reward_function(objects):
    me, other = objects[:2]
    total = 0.0
    for term in TERMS:
        total += term.value(me, other)
        if isinstance(term, Scaled) and hasattr(term, "name"):
            total += len(term.name) / 1000
    return total + len(ScaledDistance.__mro__) / 1e4 + issubclass(Guard, Base) / 1e4
