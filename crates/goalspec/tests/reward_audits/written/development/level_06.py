# finds: level-reward, state-leak
from ocatari.ram.seaquest import *

state = {"best_depth": 0, "milestones": set()}

def reward_function(objects):
    player = next((o for o in objects if isinstance(o, Player)), None)
    if player is not None:
        state["best_depth"] = max(state["best_depth"], player.y)
        state["milestones"].add(player.y // 10)
    return 0.05 * len(state["milestones"])
