from ocatari.ram.pong import *

DEFAULTS = {"dx": 0, "dy": 0, "x": 0}


def as_dict(obj, names=("x", "y", "dx", "dy")):
    return {name: getattr(obj, name) for name in names}


def reward_function(objects):
    states = {o.category: as_dict(o) for o in objects if o}
    player = states.pop("Player")
    ball = states.get("Ball", DEFAULTS)
    merged = {**DEFAULTS, **ball, "w": 2}
    shared = player.keys() & merged.keys()
    only = sorted(merged.keys() - player.keys())
    reward = sum(abs(player[k] - merged[k]) for k in shared) / -1000
    inverted = {v: k for k, v in merged.items()}
    reward += len(inverted) / 100
    if ("dx", 0) in merged.items():
        reward -= 0.05
    try:
        reward += merged["y"] / 2100
    except KeyError as missing:
        reward -= len(missing.args[0]) / 10
    first = next(iter(states), "none")
    merged.update(zip(only, range(5)), extra=1)
    removed = merged.pop("absent", None)
    key, value = merged.popitem()
    return reward + len(first) / 1000 + value / 1e4 + (removed is None) / 1e5 + len(dict.fromkeys("abca")) / 1e5
