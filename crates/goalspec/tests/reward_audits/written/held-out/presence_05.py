# finds: presence-reward
from ocatari.ram.skiing import *
import numpy as np

def reward_function(game_objects):
    kinds = np.array([isinstance(o, Flag) for o in game_objects], dtype=float)
    visible_flags = kinds.sum()
    player = game_objects[0]
    drift = np.abs(player.dx) * 0.01
    return float(0.1 * visible_flags - drift)
