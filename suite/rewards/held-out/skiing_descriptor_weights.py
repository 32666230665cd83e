from ocatari.ram.skiing import *


class Positive:
    """A descriptor that only accepts positive weights."""

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return getattr(instance, self.slot, 1.0)

    def __set__(self, instance, value):
        if value <= 0:
            raise ValueError(f"{self.slot[1:]} must be positive, not {value}")
        setattr(instance, self.slot, value)


class Weights:
    tree = Positive()
    gate = Positive()
    speed = Positive()

    def __init__(self, **weights):
        for name, value in weights.items():
            try:
                setattr(self, name, value)
            except ValueError:
                self.rejected = name


weights = Weights(tree=0.8, gate=-1, speed=0.05)


def reward_function(objects):
    player = objects[0]
    hit = any(player.iou(o) > 0 for o in objects[1:] if o.category == "Tree")
    gate = [o.x for o in objects if o.category == "Flag" and -10 < o.y - player.y < 10]
    reward = -weights.tree * hit
    if len(gate) == 2:
        reward += weights.gate if min(gate) < player.x < max(gate) else 0
    reward += weights.speed * (4 - abs(player.orientation - 8))
    return reward - 0.001 * len(weights.rejected)
