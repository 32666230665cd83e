import operator
from functools import reduce
from operator import attrgetter, itemgetter, methodcaller

from ocatari.ram.boxing import *

RULES = [
    ("distance", operator.lt, 40, 0.02),
    ("height", operator.le, 20, 0.02),
    ("lead", operator.gt, 0, 0.1),
    ("lead", operator.lt, 0, -0.1),
]


def features(objects):
    me, other = objects[0], objects[1]
    get = attrgetter("value")
    mine, theirs = map(get, objects[2:4])
    return {
        "distance": abs(operator.sub(*map(itemgetter(0), (me.xy, other.xy)))),
        "height": abs(operator.sub(*map(itemgetter(1), (me.xy, other.xy)))),
        "lead": operator.sub(mine, theirs),
        "overlap": methodcaller("iou", other)(me),
    }


def reward_function(objects):
    f = features(objects)
    hits = [weight for name, compare, bound, weight in RULES if compare(f[name], bound)]
    total = reduce(operator.add, hits, 0.0)
    diffs = attrgetter("value_diff")
    total += diffs(objects[2]) - diffs(objects[3])
    return total + operator.mul(0.5, f["overlap"])
