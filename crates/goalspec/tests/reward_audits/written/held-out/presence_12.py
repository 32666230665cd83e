# clean
from ocatari.ram.seaquest import *

def distance(a, b):
    return abs(a.x - b.x) + abs(a.y - b.y)

def reward_function(objects):
    player = next((o for o in objects if o.category == "Player"), None)
    divers = [o for o in objects if o.category == "Diver"]
    enemies = [o for o in objects if o.category in ("Shark", "Submarine")]
    reward = 0.0
    if player and divers:
        reward += 0.1 * (1.0 - min(distance(player, d) for d in divers) / 300.0)
    if player and enemies:
        closest = min(distance(player, e) for e in enemies)
        if closest < 20:
            reward -= (20 - closest) / 100.0
    return reward
