import bisect

from ocatari.ram.bowling import *


class Table:
    """A sorted table of (x, reward) with linear interpolation."""

    def __init__(self, rows):
        self.rows = []
        for row in rows:
            bisect.insort(self.rows, row, key=lambda r: r[0])

    def __getitem__(self, x):
        i = bisect.bisect_left(self.rows, x, key=lambda r: r[0])
        if i == 0:
            return self.rows[0][1]
        if i == len(self.rows):
            return self.rows[-1][1]
        (x0, y0), (x1, y1) = self.rows[i - 1], self.rows[i]
        return y0 + (y1 - y0) * (x - x0) / (x1 - x0)

    def __len__(self):
        return len(self.rows)


BY_X = Table([(160, 1.0), (20, -0.1), (110, 0.2), (128, 0.8)])


def reward_function(objects):
    ball = objects[1]
    ys = sorted(o.y for o in objects[2:] if o)
    low = bisect.bisect_left(ys, ball.y)
    high = bisect.bisect_right(ys, ball.y + ball.h)
    bisect.insort_left(ys, ball.y)
    return BY_X[ball.x] + (high - low) * 0.05 + ys.index(ball.y) * 0.001 + len(BY_X) * 1e-4
