# clean
from ocatari.ram.seaquest import *

def reward_function(game_objects):
    reward = 0.0
    for o in game_objects:
        if o.category == "PlayerScore":
            reward += o.value_diff / 100.0
        if o.category == "OxygenBar":
            reward -= 0.05 if o.value < 10 else 0.0
    return max(-1.0, min(1.0, reward))
