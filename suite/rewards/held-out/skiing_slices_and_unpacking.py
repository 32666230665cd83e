from ocatari.ram.skiing import *


def reward_function(objects):
    (player, *trees), moguls, flags = objects[:7], objects[7:10], objects[-4:]
    a, b, *_ = sorted((f.y for f in flags), reverse=True)
    evens, odds = flags[::2], flags[1::2]
    widths = [o.x - e.x for e, o in zip(evens, odds)]
    first, second = widths
    xs = [t.x for t in trees if t][::-1]
    reward = (first + second) / 1000 + (a - b) / 1000
    if xs:
        head, *tail = xs
        reward -= abs(head - player.x) / 1600
        reward += sum(tail[-2:]) / 1e5
    xs[1:1] = [player.x] * 2
    del xs[:1]
    reward += len(xs) / 100
    x, y = y, x = player.xy
    return reward + (x > y) * 0.01 + (moguls[-1].y if moguls[-1] else -1) / 1e4
