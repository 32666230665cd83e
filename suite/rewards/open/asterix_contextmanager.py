from contextlib import contextmanager

from ocatari.ram.asterix import *

totals = {}


@contextmanager
def term(name, weight=1.0):
    """Collects the values of one term; errors inside count as zero."""
    values = []
    try:
        yield values
    except (IndexError, ValueError):
        values.clear()
    finally:
        totals[name] = weight * sum(values)


def reward_function(objects):
    totals.clear()
    player = objects[0]
    with term("pickup", 0.5) as out:
        for o in objects:
            if isinstance(o, (Reward, Consumable)):
                out.append(1 / (1 + abs(o.x - player.x) + abs(o.y - player.y)))
    with term("danger", -1.0) as out:
        enemies = [o for o in objects if isinstance(o, Enemy)]
        out.append(0.1)
        out.append(20 / min(200, 1 + min(abs(e.x - player.x) for e in enemies if e.y == player.y)))
    with term("motion") as out:
        out.extend([abs(player.dx) / 100, player.dy / 1000])
    return sum(totals.values())
