from ocatari.ram.skiing import *

previous = None


def first_not_none(*values, default=None):
    return next((v for v in values if v is not None), default)


def lookup(objects, name, index=0):
    found = [o for o in objects if o.category == name]
    return found[index] if len(found) > index else None


def reward_function(objects):
    global previous
    player = lookup(objects, "Player")
    target = first_not_none(lookup(objects, "Mogul"), lookup(objects, "Tree", 1), default=player)
    x = target and target.x
    last, previous = previous, x
    change = (x or 0) - (last or 0)
    reward = -abs(change) / 200
    gap = getattr(target, "gap", None) or abs(target.x - player.x)
    reward += gap / 1000 if gap else 0.1
    reward -= 0.05 * (lookup(objects, "Mogul", 2) is not None)
    return reward + (player.prev_x or player.x) / 1e5
