# causes: unknown-class
from ocatari.ram.seaquest import *

def find(objects, name):
    return [o for o in objects if o.category == name]

def reward_function(objects):
    divers = [o for o in objects if o.category == "Divers"]
    player = [o for o in objects if o.category == "Player"]
    reward = 0.0
    if player and divers:
        p = player[0]
        for d in divers:
            if abs(d.x - p.x) < 8 and abs(d.y - p.y) < 8:
                reward += 1.0
            elif d.y > p.y:
                reward += 0.01
    return reward
