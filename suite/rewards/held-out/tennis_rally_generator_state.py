from ocatari.ram.tennis import *


def rally():
    """A generator as a state machine: each state is a loop."""
    reward = 0.0
    hits = 0
    while True:
        shadow = yield reward
        # wait for the serve
        while shadow is None:
            shadow = yield 0.0
        # the ball is in play
        direction = shadow.dy or 1
        while shadow is not None:
            if shadow.dy * direction < 0:
                direction = shadow.dy
                hits += direction < 0
                shadow = yield 0.5 if direction < 0 else -0.1
            else:
                shadow = yield 0.01 * hits
        # the point is over
        reward, hits = (1.0 if direction < 0 else -1.0), 0


machine = rally()
next(machine)


def reward_function(objects):
    return machine.send(next((o for o in objects if isinstance(o, BallShadow)), None))
