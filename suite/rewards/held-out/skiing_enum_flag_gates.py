from enum import Enum, IntEnum, auto, unique

from ocatari.ram.skiing import *


@unique
class Phase(Enum):
    APPROACH = "approach"
    INSIDE = "inside"
    PASSED = "passed"

    @classmethod
    def of(cls, player, left, right):
        if left is None:
            return cls.PASSED
        if left.y > player.y + player.h:
            return cls.APPROACH
        return cls.INSIDE if left.x < player.x < right.x else cls.PASSED


class Turn(IntEnum):
    LEFT = -1
    STRAIGHT = 0
    RIGHT = 1


class Weight(Enum):
    TREE = auto()
    MOGUL = auto()


def turn_of(player):
    if player.orientation is None or player.orientation == 8:
        return Turn.STRAIGHT
    return Turn.RIGHT if player.orientation > 8 else Turn.LEFT


def reward_function(objects):
    player = objects[0]
    flags = sorted((o for o in objects if isinstance(o, Flag)), key=lambda f: (f.y, f.x))
    pair = flags[:2] if len(flags) >= 2 else [None, None]
    phase = Phase.of(player, *pair)
    value = {Phase.APPROACH: 0.1, Phase.INSIDE: 1.0, Phase.PASSED: 0.0}[phase]
    value += 0.01 * turn_of(player) - 0.02 * abs(turn_of(player))
    for kind in Weight:
        near = [o for o in objects if o.category.upper() == kind.name and abs(o.x - player.x) < 14 and abs(o.y - player.y) < 20]
        value -= 0.3 / kind.value * len(near)
    return value + len(phase.value) * 1e-3
