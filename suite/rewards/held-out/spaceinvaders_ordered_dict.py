from collections import ChainMap, OrderedDict, namedtuple

from ocatari.ram.spaceinvaders import *

Stats = namedtuple("Stats", ["count", "lowest"], defaults=[0])
DEFAULTS = {"alien": -0.01, "shield": 0.02, "bullet": -0.03, "satellite": 0.1}
OVERRIDES = {"bullet": -0.05}
WEIGHTS = ChainMap(OVERRIDES, DEFAULTS)

recent = OrderedDict()


def summarise(objects):
    table = OrderedDict()
    for o in objects:
        if not o:
            continue
        name = o.category.lower()
        old = table.get(name, Stats(0))
        table[name] = Stats(old.count + 1, max(old.lowest, o.y))
    table.move_to_end("player", last=True) if "player" in table else None
    return table


def reward_function(objects):
    table = summarise(objects)
    key = tuple((name, stats.count) for name, stats in table.items())
    fresh = key not in recent
    recent[key] = recent.pop(key, 0) + 1
    if len(recent) > 8:
        recent.popitem(last=False)
    reward = 0.2 if fresh else 0.0
    for name, stats in table.items():
        reward += WEIGHTS.get(name, 0.0) * stats.count * (1 + stats.lowest / 200)
    last, stats = next(reversed(table.items()))
    return reward + len(last) / 1000 + stats._asdict()["count"] / 1e4
