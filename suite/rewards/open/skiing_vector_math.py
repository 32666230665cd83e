import math

from ocatari.ram.skiing import *

HEADINGS = {4: -80, 5: -60, 6: -40, 7: -20, 8: 0, 9: 20, 10: 40, 11: 60, 12: 80}


def unit(angle_degrees):
    radians = math.radians(angle_degrees)
    return math.sin(radians), math.cos(radians)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def normalize(v):
    length = math.hypot(*v)
    return tuple(c / length for c in v) if length > 1e-9 else (0.0, 0.0)


def reward_function(objects):
    player = objects[0]
    heading = unit(HEADINGS.get(player.orientation, 0))
    flags = [o for o in objects if isinstance(o, Flag) and o.y > player.y]
    if not flags:
        return 0.0
    target = min(flags, key=lambda f: f.y)
    to_target = normalize((target.x - player.x, target.y - player.y))
    alignment = dot(heading, to_target)
    trees = [o for o in objects if isinstance(o, Tree) and o.y > player.y]
    blocked = 0
    for tree in trees:
        to_tree = normalize((tree.x - player.x, tree.y - player.y))
        if dot(heading, to_tree) > math.cos(math.radians(15)):
            blocked += 1
    return round(alignment, 6) - 0.2 * blocked
