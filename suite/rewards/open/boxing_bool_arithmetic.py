from ocatari.ram.boxing import *


def reward_function(objects):
    me, other = objects[0], objects[1]
    in_reach = abs(me.x - other.x) < 38 and abs(me.y - other.y) < 22
    punching = max(me.right_arm_length, me.left_arm_length) > 12
    exposed = other.right_arm_length == 0 and other.left_arm_length == 0
    score = in_reach * 2 + (punching and in_reach) * 3 - (punching and not in_reach)
    score += exposed & punching
    score -= (in_reach | exposed) ^ punching
    score += sum([in_reach, punching, exposed]) // 2
    flags = [in_reach, punching, exposed]
    code = 0
    for bit, flag in enumerate(flags):
        code |= flag << bit
    return score + code / 100 if any(flags) else not all(flags)
