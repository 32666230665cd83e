from itertools import chain, compress, dropwhile, filterfalse, takewhile

from ocatari.ram.breakout import *


def reward_function(objects):
    player, ball, *blocks = objects
    present = [bool(b) for b in blocks]
    rows = [present[i * 18 : (i + 1) * 18] for i in range(6)]
    filled = list(compress(blocks, present))
    gone = len(list(filterfalse(None, blocks)))
    full_from_left = sum(1 for _ in takewhile(bool, rows[-1]))
    hole = next(dropwhile(lambda i: rows[-1][i], range(18)), 17) if not all(rows[-1]) else 18
    reward = gone * 0.05 + full_from_left / 1000 + hole / 100
    if ball:
        in_front = [b for b in filled if b.x <= ball.x <= b.x + b.w]
        reward += 0.01 * len(in_front)
    edge = chain.from_iterable((row[0], row[-1]) for row in rows)
    return reward - 0.005 * sum(edge)
