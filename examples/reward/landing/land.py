"""Land on the green pad, around the tower, before the battery is empty."""
import numpy as np
from goalspec.world import *


def apart(one, other):
    return float(np.linalg.norm(one.position - other.position))


def reward_function(prev_state, state):
    drone, before = state.drone, prev_state.drone
    goal = next(pad for pad in state.landing_pads if pad.color == "green")

    reward = apart(before, goal) - apart(drone, goal)  # came closer
    for tower in state.towers:
        if apart(drone, tower) < 2 and drone.y < tower.height:
            reward -= 1.0  # too close to a tower
    if drone.landed and not before.landed:
        if goal in drone.on:
            reward += 10.0 * drone.battery  # landed where it should
        else:
            reward -= 5.0  # landed elsewhere
    return reward
