# clean
from ocatari.ram.pong import *

def reward_function(objects):
    reward = 0.0
    for o in objects:
        if isinstance(o, PlayerScore):
            reward += o.value - o.prev_value
        elif isinstance(o, EnemyScore):
            reward -= o.value - o.prev_value
    return reward
