# finds: level-reward
from ocatari.ram.pong import *

def reward_function(objects):
    reward = 0.0
    for o in objects:
        if isinstance(o, PlayerScore):
            reward += 0.1 * o.value
        elif isinstance(o, EnemyScore):
            reward -= 0.1 * o.value
    return reward
