# clean
from ocatari.ram.skiing import *

def reward_function(objects):
    player = objects[0]
    flags = [o for o in objects if isinstance(o, Flag)]
    reward = 0.0
    for left, right in zip(flags[::2], flags[1::2]):
        passed = left.y <= player.y < left.y + 6
        if passed and min(left.x, right.x) < player.x < max(left.x, right.x):
            reward += 1.0
    trees = [o for o in objects if isinstance(o, Tree)]
    if trees:
        reward -= 0.5 * any(player.is_on_top(t) for t in trees)
    return reward
