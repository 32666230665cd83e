# finds: presence-reward
from ocatari.ram.seaquest import *
from collections import Counter

WEIGHTS = {"Shark": 0.05, "Submarine": 0.08}

def reward_function(objects):
    counts = Counter(o.category for o in objects)
    danger = sum(weight * counts[name] for name, weight in WEIGHTS.items())
    player = objects[0]
    speed = abs(player.dx) * 0.001 if player else 0.0
    return danger + speed
