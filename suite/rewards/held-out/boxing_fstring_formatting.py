from ocatari.ram.boxing import *


def bucket(value, step):
    return f"{value // step * step:03d}"


def key(objects):
    me, other = objects[0], objects[1]
    dx, dy = other.x - me.x, other.y - me.y
    return f"{'L' if dx < 0 else 'R'}{bucket(abs(dx), 10)}{'U' if dy < 0 else 'D'}{bucket(abs(dy), 20):>5}|{me.right_arm_length!r:0>2}"


seen = {}


def reward_function(objects):
    """Novelty bonus: rarely seen situations are worth more."""
    k = key(objects)
    seen[k] = seen.get(k, 0) + 1
    report = f"{k:<16}{seen[k]:+d}{len(seen) / 100:8.2%}{1 / seen[k]:.3e}"
    bonus = float(report[-9:])
    width = len(f"{k!s:^20}") + len(f"{bonus:,.4f}") + len("{0:>{1}}".format(k, 18)) + len("%s-%5.1f-%03d" % (k, bonus, seen[k]))
    return bonus + width / 1e5
