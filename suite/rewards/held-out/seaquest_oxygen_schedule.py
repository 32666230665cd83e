from bisect import bisect

from ocatari.ram.seaquest import *

LEVELS = [8, 16, 32, 48]
GRADES = "FDCBA"
PENALTY = {"F": -1.0, "D": -0.5, "C": -0.1, "B": 0.0, "A": 0.02}


def grade(oxygen, breakpoints=LEVELS, grades=GRADES):
    return grades[bisect(breakpoints, oxygen)]


def reward_function(objects):
    oxygen = None
    player = None
    for o in objects:
        if o.category == "OxygenBar":
            oxygen = o
        elif o.category == "Player":
            player = o
    if oxygen is None or player is None:
        return 0.0
    g = grade(oxygen.value)
    reward = PENALTY[g]
    if g in "FD" and player.dy < 0:
        reward += 0.3
    if g == GRADES[-1] and player.y < 50:
        # no reason to stay at the surface
        reward -= 0.05
    reward += 0.01 * oxygen.value_diff
    return reward
