from ocatari.ram.pong import *


def reward_function(objects):
    items = list(objects)
    items.reverse()
    items.insert(0, items.pop())
    for o in items[:]:
        if not o:
            items.remove(o)
    ys = []
    ys.extend(o.y for o in items)
    ys += [ys[0]] * 2
    ys.sort(reverse=True)
    copy = ys.copy()
    copy.append(max(ys))
    del copy[::2]
    ys[0:2] = [0]
    total = sum(copy) - sum(ys)
    where = items.index(objects[0])
    return total / 1000 + where / 10 + len(items) * 0.01 + ys.count(0) * 1e-3
