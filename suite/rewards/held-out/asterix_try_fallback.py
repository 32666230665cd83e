from ocatari.ram.asterix import *

try:
    from itertools import batched
except ImportError:
    from itertools import islice

    def batched(iterable, n):
        it = iter(iterable)
        while chunk := tuple(islice(it, n)):
            yield chunk


def reward_function(objects):
    player = objects[0]
    total = 0.0
    for group, weight in zip(batched(objects[1:25], 8), (0.5, -1.0, 0.8)):
        near = [o for o in group if o and o.y == player.y]
        for o in near:
            try:
                total += weight * 10 / abs(o.x - player.x)
            except ZeroDivisionError:
                total += weight * 20
    return round(total, 4)
