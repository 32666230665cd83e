from ocatari.ram.asterix import *

POINTS = dict(zip(("Reward", "Enemy", "Consumable"), (50, -100, 80)))


def reward_function(objects):
    player = objects[0]
    ahead = {}
    for index, obj in enumerate(objects[1:], start=1):
        if not obj:
            continue
        lane = obj.y // 16
        if lane in ahead and abs(ahead[lane][1] - player.x) <= abs(obj.x - player.x):
            continue
        ahead[lane] = (obj.category, obj.x, index)
    mine = ahead.pop(player.y // 16, None)
    total = 0.0
    if mine is not None:
        kind, x, index = mine
        total += POINTS[kind] / (10 + abs(x - player.x))
        total += index / 1000
    for lane, (kind, x, _) in sorted(ahead.items(), key=lambda item: abs(item[0] - player.y // 16)):
        total += POINTS.get(kind, 0) / 1000 / (1 + abs(lane - player.y // 16))
    return total
