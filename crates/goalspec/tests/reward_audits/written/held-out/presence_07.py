# clean
from ocatari.ram.seaquest import *

def reward_function(game_objects) -> float:
    reward = 0.0
    player = next((o for o in game_objects if isinstance(o, Player)), None)
    if player is None:
        return 0.0
    for obj in game_objects:
        if isinstance(obj, Diver) and abs(obj.x - player.x) < 10 and abs(obj.y - player.y) < 10:
            reward += 0.1
    return reward
