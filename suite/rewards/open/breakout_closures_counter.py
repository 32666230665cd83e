from ocatari.ram.breakout import *


def make_counter(start=0):
    count = start

    def increment(by=1):
        nonlocal count
        count += by
        return count

    def value():
        return count

    return increment, value


def make_delta():
    last = None

    def delta(x):
        nonlocal last
        change = 0 if last is None else x - last
        last = x
        return change

    return delta


broken, total_broken = make_counter()
block_change = make_delta()
ball_change = make_delta()
multipliers = [lambda v, k=k: v * k for k in (0.1, 0.5, 1.0)]


def reward_function(objects):
    blocks = sum(1 for o in objects if isinstance(o, Block))
    change = block_change(blocks)
    if change < 0:
        broken(-change)
    reward = 0.0
    if change:
        stage = min(total_broken() // 2, 2)
        reward += multipliers[stage](-change)
    balls = [o for o in objects if isinstance(o, Ball)]
    reward += 0.001 * ball_change(balls[0].y if balls else 0)
    return reward
