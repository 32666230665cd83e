from ocatari.ram.tennis import *


def reward_function(objects):
    p, e, b, s = objects
    return 0 if not b else (1 if b.y < 20 else -1 if b.y > 170 else 0.01 * (p.x - e.x) // 10)
