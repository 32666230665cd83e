from ocatari.ram.pong import *


class Restart(Exception):
    pass


def rally_counter():
    """Counts the frames of a rally; `throw(Restart)` starts again."""
    rallies = 0
    while True:
        frames = 0
        try:
            while True:
                frames += 1
                yield rallies, frames
        except Restart:
            rallies += 1
        except GeneratorExit:
            return


counter = rally_counter()
started = False


def reward_function(objects):
    global started
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    if not started:
        started = True
        rallies, frames = next(counter)
    elif ball is None:
        rallies, frames = counter.throw(Restart("no ball"))
    else:
        rallies, frames = next(counter)
    return 0.01 * frames - 0.1 * rallies
