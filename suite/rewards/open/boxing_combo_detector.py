from collections import deque

from ocatari.ram.boxing import *

COMBOS = {
    ("R", "L"): 0.2,
    ("L", "R"): 0.2,
    ("R", "R", "L"): 0.5,
    ("L", "L", "R"): 0.5,
}
punches = deque(maxlen=4)
previous = (0, 0)


def detect_punch(boxer):
    global previous
    right, left = boxer.right_arm_length, boxer.left_arm_length
    before_right, before_left = previous
    previous = right, left
    if right > before_right and right >= left:
        return "R"
    if left > before_left:
        return "L"
    return None


def reward_function(objects):
    me, other = objects[:2]
    punch = detect_punch(me)
    reward = 0.0
    if punch:
        if not punches or punches[-1] != punch or len(punches) < 2:
            reward += 0.01
        punches.append(punch)
        recent = tuple(punches)
        for combo, value in COMBOS.items():
            if recent[-len(combo):] == combo:
                reward += value
    if abs(me.y - other.y) > 60:
        punches.clear()
    return reward + 0.001 * len(punches)
