# finds: unbounded, state-leak
from ocatari.ram.skiing import *

history = []

def reward_function(objects):
    player = objects[0]
    history.append(player.x)
    mean = sum(history) / len(history)
    return len(history) * 0.01 - abs(player.x - mean) * 0.001
