from ocatari.ram.asterix import *


def total_reward(**terms: float) -> float:
    weights = {"pickup": 1.0, "danger": -1.5, "edge": -0.1}
    unknown = terms.keys() - weights.keys()
    if unknown:
        raise TypeError(f"unknown terms: {', '.join(sorted(unknown))}")
    return sum(weights[k] * v for k, v in terms.items())


def closeness(a, b, /, *, scale=20):
    return max(0.0, 1 - (abs(a.x - b.x) + abs(a.y - b.y)) / scale)


def reward_function(objects):
    player, *others = (o for o in objects if o)
    pickup = sum(closeness(player, o) for o in others if o.category in {"Reward", "Consumable"})
    danger = sum(closeness(player, o, scale=30) for o in others if o.category == "Enemy")
    edge = float(player.x < 16 or player.x > 136)
    terms = dict(pickup=pickup, danger=danger, edge=edge)
    if len(others) > 9:
        terms["crowd"] = len(others)
    return total_reward(**terms)
