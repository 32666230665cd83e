from collections import Counter

from ocatari.ram.asterix import *

visits = Counter()


def situation(objects):
    """A hashable description: which kinds are in which lanes."""
    return frozenset((o.category[0], (o.y - 26) // 16) for o in objects[1:] if o)


def reward_function(objects):
    key = situation(objects)
    visits[key] += 1
    novelty = 1 / visits[key] ** 0.5
    danger = sum(1 for kind, lane in key if kind == "E" and lane == (objects[0].y - 26) // 16)
    similar = sum(1 for other in visits if len(other ^ key) <= 1) if len(visits) < 40 else 0
    total = visits.total()
    return 0.3 * novelty - danger + 0.001 * similar + len(visits) / total / 100 + max(visits.values()) / 1e4
