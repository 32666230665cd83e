from ocatari.ram.freeway import *


def lanes(objects):
    return sorted((o.y, o.x) for o in objects if isinstance(o, Car))


def reward_function(objects):
    chickens = [o for o in objects if isinstance(o, Chicken)]
    reward = 0.0
    match chickens:
        case []:
            return -1.0
        case [only]:
            reward += only.y / 187
        case [Chicken(x=44, y=y) as me, *others]:
            reward += (187 - y) / 187
            reward += len(others) * 0.01 - me.dy * 0.01
        case [_, Chicken() as other]:
            reward -= other.y / 187
    match lanes(objects):
        case [(27, x), *_, (171, last)] if x < last:
            reward += 0.02
        case [(27 | 43, _), _, _, *rest]:
            reward += 0.001 * len(rest)
    match (chickens[0].dy > 0) - (chickens[0].dy < 0):
        case -1:
            reward += 0.05
        case 1:
            reward -= 0.05
        case 0:
            pass
    return reward
