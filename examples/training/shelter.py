"""Rewards a chicken for being high up, and punishes it for touching cars: a reward that is easily earned without crossing the road.

Where no car drives, a chicken has a small reward in every step and no risk; so standing still is what an agent learns.
"""

from ocatari.ram.freeway import *


def reward_function(objects):
    player = min((o for o in objects if isinstance(o, Chicken)), key=lambda o: o.x)
    # Height.
    reward = 0.1 * (1 - player.y / 210)
    for car in objects:
        if isinstance(car, Car) and abs(car.y - player.y) < 12 and -8 < car.x - player.x < 12:
            # An accident.
            reward -= 1.0
            break
    return reward
