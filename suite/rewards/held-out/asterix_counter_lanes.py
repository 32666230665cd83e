from collections import Counter, defaultdict

from ocatari.ram.asterix import *


def lane(obj):
    return (obj.y - 26) // 16


def reward_function(objects):
    player = objects[0]
    kinds = Counter(o.category for o in objects if o)
    by_lane = defaultdict(lambda: Counter(good=0, bad=0))
    for o in objects[1:]:
        match o.category:
            case "Reward" | "Consumable":
                by_lane[lane(o)]["good"] += 1
            case "Enemy":
                by_lane[lane(o)]["bad"] += 1

    here = by_lane[lane(player)]
    reward = 0.5 * here["good"] - 1.0 * here["bad"]
    best, _ = max(by_lane.items(), key=lambda kv: (kv[1]["good"] - kv[1]["bad"], -kv[0]))
    reward -= 0.05 * abs(best - lane(player))
    for name, count in kinds.most_common(2):
        reward += count / (100 if name == "Enemy" else 1000)
    return reward + sum((kinds & Counter(Enemy=3, Reward=2)).values()) * 1e-4
