from contextlib import ExitStack, closing

from ocatari.ram.bowling import *


class Accumulator:
    def __init__(self, log, weight):
        self.log, self.weight, self.value = log, weight, 0.0

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.log.append(self.weight * self.value)
        return False


def pins(objects):
    try:
        for o in objects:
            if isinstance(o, Pin):
                yield o
    finally:
        pass


def reward_function(objects):
    log = []
    with ExitStack() as stack:
        down = stack.enter_context(Accumulator(log, 0.1))
        aim = stack.enter_context(Accumulator(log, 0.01))
        stack.callback(log.append, 0.001)
        with closing(pins(objects)) as standing:
            left = list(standing)
        down.value = 10 - len(left)
        ball = next((o for o in objects if isinstance(o, Ball)), None)
        if ball and left:
            aim.value = -min(abs(p.y - ball.y) for p in left)
    return sum(log) + len(log) / 1e4
