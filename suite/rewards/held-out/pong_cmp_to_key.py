from functools import cmp_to_key

from ocatari.ram.pong import *


def compare(a, b):
    """Order objects: by distance to the right border, then by height."""
    if a.x != b.x:
        return b.x - a.x
    if a.y < b.y:
        return -1
    if a.y > b.y:
        return 1
    return 0


def reward_function(objects):
    visible = [o for o in objects if o]
    ordered = sorted(visible, key=cmp_to_key(compare))
    names = [o.category for o in ordered]
    reward = 0.0
    if names[0] == "Ball":
        # the ball got past the paddle
        reward -= 1.0
    if names[-1] == "Ball":
        reward += 1.0
    for rank, o in enumerate(ordered):
        reward += o.dy * 0.001 * (rank + 1)
    return reward
