# finds: level-reward
from ocatari.ram.seaquest import *

def reward_function(game_objects):
    components = {"score": 0.0, "oxygen": 0.0}
    for o in game_objects:
        if o.category == "PlayerScore":
            components["score"] = o.value / 1000.0
        if o.category == "OxygenBar" and o.value < 10:
            components["oxygen"] = -0.1
    return sum(components.values()), components
