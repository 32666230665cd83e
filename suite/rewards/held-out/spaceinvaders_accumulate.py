from itertools import accumulate, chain, count, islice, takewhile
import operator

from ocatari.ram.spaceinvaders import *


def discounted(values, gamma=0.9):
    return list(accumulate(values, lambda acc, v: acc * gamma + v))


def reward_function(objects):
    bullets = [o for o in objects if isinstance(o, Bullet)]
    shields = [o for o in objects if isinstance(o, Shield)]
    aliens = [o for o in objects if isinstance(o, Alien)]
    heights = [s.h for s in shields]
    total_height = list(accumulate(heights, operator.add, initial=0))[-1]
    rows = [0] * 6
    for a in aliens:
        rows[min(5, (a.y - 31) // 18)] += 1
    running_max = list(accumulate(rows, max))
    reward = -discounted(rows)[-1] / 100 + total_height / 540 + running_max[2] / 1000
    powers = takewhile(lambda p: p < 100, (2 ** n for n in count()))
    weights = list(islice(chain(powers, [0] * 5), 3))
    for weight, bullet in zip(weights, bullets):
        reward -= weight * (bullet.y > 150) / 50
    return reward
