from ocatari.ram.seaquest import *

VALUES = {
    ("Shark", True): -0.4,
    ("Shark", False): -0.02,
    ("Submarine", True): -0.5,
    ("Submarine", False): -0.04,
    ("Diver", True): 0.6,
    ("Diver", False): 0.03,
}


def reward_function(objects):
    player = next((o for o in objects if o.category == "Player"), None)
    if player is None:
        return -1.0
    box = (player.x - 15, player.y - 12, player.x + player.w + 15, player.y + player.h + 12)

    def inside(o):
        left, top, right, bottom = box
        return left < o.x < right and top < o.y < bottom

    totals = {}
    for o in objects:
        key = o.category, inside(o)
        if key in VALUES:
            kind, _ = key
            totals[kind] = totals.get(kind, 0) + VALUES[key]
    ranked = sorted(totals.items(), key=lambda kv: (kv[1], kv[0]))
    if not ranked:
        return 0.0
    (worst, value), *_ = ranked
    return value + sum(v for _, v in ranked[1:]) / 2 + len(worst) / 1000
