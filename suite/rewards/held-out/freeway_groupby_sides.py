from itertools import groupby

from ocatari.ram.freeway import *


def side(car):
    return "left" if car.x + car.w / 2 < 80 else "right"


def reward_function(objects):
    chickens = [o for o in objects if type(o).__name__ == "Chicken"]
    cars = sorted((o for o in objects if type(o).__name__ == "Car"), key=lambda c: (side(c), c.y))
    me = min(chickens, key=lambda c: c.x)

    reward = -me.dy * 0.05
    for name, group in groupby(cars, key=side):
        lanes = [car.y for car in group]
        if name == "left":
            reward -= 0.01 * len(lanes)
            reward -= 0.1 * sum(abs(y - me.y) < 10 for y in lanes)
    runs = [len(list(g)) for _, g in groupby(c.dx > 0 for c in sorted(cars, key=lambda c: c.y))]
    return reward + max(runs, default=0) / 1000
