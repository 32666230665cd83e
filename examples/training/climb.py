"""Rewards a chicken for each step of the way across the road, and for each arrival.

The reward follows what is wanted: height that is gained, not height that is held.
"""

from ocatari.ram.freeway import *

ARRIVAL = 60  # Pixels: an arrival puts the chicken back to the bottom.
last_y = None


def touches(one, other):
    return (
        one.x < other.x + other.w
        and other.x < one.x + one.w
        and one.y < other.y + other.h
        and other.y < one.y + one.h
    )


def reward_function(objects):
    global last_y
    player = min((o for o in objects if isinstance(o, Chicken)), key=lambda o: o.x)
    gained = 0 if last_y is None else last_y - player.y
    last_y = player.y
    if gained < -ARRIVAL:
        return 1.0
    # Gained height.
    reward = gained / 160
    # Touching a car.
    if any(touches(player, o) for o in objects if isinstance(o, Car)):
        reward -= 0.05
    return reward
