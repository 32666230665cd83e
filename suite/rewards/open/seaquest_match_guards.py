from ocatari.ram.seaquest import *

SURFACE = 50
LOW, HIGH = 15, 55


class Mode:
    DIVE = "dive"
    RISE = "rise"


def mode(player, oxygen, carried):
    match (player.y <= SURFACE, oxygen, carried):
        case (True, o, _) if o < HIGH:
            return Mode.RISE, 0.05
        case (True, _, 0):
            return Mode.DIVE, 0.0
        case (False, o, n) if o <= LOW or n == 6:
            return Mode.RISE, 0.02 * n
        case (False, _, 1 | 2 | 3 as n):
            return Mode.DIVE, 0.1 / n
        case _:
            return Mode.DIVE, 0.01


def reward_function(objects):
    player = None
    oxygen, carried = 64, 0
    for o in objects:
        match o:
            case NoObject():
                continue
            case Player():
                player = o
            case OxygenBar(value=v):
                oxygen = v
            case CollectedDiver():
                carried += 1
            case EnemyMissile(dx=dx, y=y) if player is not None and abs(y - player.y) < 8:
                return -0.5 - abs(dx) / 100
    if player is None:
        return -1
    match mode(player, oxygen, carried):
        case Mode.RISE, bonus:
            return bonus - player.dy * 0.05
        case [Mode.DIVE, float(bonus)]:
            return bonus + player.dy * 0.02
        case other:
            raise TypeError(f"unexpected {other}")
