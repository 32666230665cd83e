from itertools import combinations, cycle, islice, permutations, product, repeat, starmap, zip_longest

from ocatari.ram.freeway import *


def reward_function(objects):
    cars = [o for o in objects if isinstance(o, Car)]
    left = [c for c in cars if c.dx > 0]
    right = [c for c in cars if c.dx < 0]
    reward = 0.0
    for a, b in zip_longest(left, right):
        if a is None or b is None:
            reward -= 0.1
        else:
            reward += (a.x - b.x) / 10000
    close = sum(1 for a, b in combinations(cars, 2) if abs(a.x - b.x) < 10)
    reward -= 0.01 * close
    signs = islice(cycle([1, -1, 0]), len(cars))
    reward += sum(s * c.y for s, c in zip(signs, cars)) / 10000
    reward += sum(starmap(lambda x, y: x * y, zip((c.x for c in cars), repeat(2, 3)))) / 1e5
    reward += len(list(product("ab", repeat=2))) / 1000 + len(set(permutations([1, 1, 2]))) / 1000
    return reward - objects[0].dy / 100
