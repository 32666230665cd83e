from functools import partial, reduce

from ocatari.ram.skiing import *


def soft_penalty(distance, *, radius, weight):
    return -weight * max(0.0, 1 - distance / radius)


tree_penalty = partial(soft_penalty, radius=30, weight=1.0)
mogul_penalty = partial(soft_penalty, radius=20, weight=0.4)
PENALTIES = {"Tree": tree_penalty, "Mogul": mogul_penalty}


def reward_function(objects):
    player, *rest = objects
    distance = partial(GameObject.manathan_distance, player)
    obstacles = filter(lambda o: o.category in PENALTIES, rest)
    penalty = reduce(lambda total, o: total + PENALTIES[o.category](distance(o)), obstacles, 0.0)
    gates = [o for o in rest if o.category == "Flag" and o.y > player.y]
    nearest = reduce(lambda a, b: a if a.y <= b.y else b, gates) if gates else None
    bonus = 0.0 if nearest is None else 1 - abs(nearest.x - player.x) / 160
    return penalty + bonus * tree_penalty.keywords["weight"]
