# finds: presence-reward
from ocatari.ram.seaquest import *

def reward_function(game_objects) -> float:
    reward = 0.0
    # encourage the presence of divers to rescue
    for obj in game_objects:
        if isinstance(obj, Diver):
            reward += 0.1
    player = next((o for o in game_objects if isinstance(o, Player)), None)
    if player is not None and player.y < 60:
        reward -= 0.01
    return reward
