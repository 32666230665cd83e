from ocatari.ram.boxing import *


def compute_reward(state):
    """Takes the state after the step; the objects are its attributes."""
    me, other = state.player, state.enemy
    reward = 0.0
    if me is None or other is None:
        return reward, {}
    gap = abs(me.center[0] - other.center[0])
    info = {"gap": -gap / 160, "punch": 0.0}
    if me.right_arm_length > me.left_arm_length:
        info["punch"] = 0.05
    info["objects"] = len([o for o in state.objects if o]) / 100
    return sum(info.values()), info
