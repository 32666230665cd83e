from ocatari.ram.skiing import *

gates_passed = 0
gates_missed = 0
last_pair = None


def gate_pairs(objects):
    flags = [o for o in objects if isinstance(o, Flag)]
    pairs = []
    for i in range(0, len(flags), 2):
        pair = sorted(flags[i : i + 2], key=lambda f: f.x)
        if len(pair) == 2:
            pairs.append(tuple(pair))
    return pairs


def reward_function(objects):
    """Counts passed and missed gates and keeps the counts between calls."""
    global gates_passed, gates_missed, last_pair
    player = objects[0]
    reward = 0.0
    for left, right in gate_pairs(objects):
        just_passed = left.prev_y >= player.y > left.y
        if not just_passed:
            continue
        if left.x <= player.x <= right.x:
            gates_passed += 1
            reward += 1.0
        else:
            gates_missed += 1
            reward -= 0.5
        last_pair = left.x, right.x
    if last_pair:
        reward += (last_pair[1] - last_pair[0]) / 10000
    total = gates_passed + gates_missed
    ratio = gates_passed / total if total else 0.5
    return reward + 0.01 * ratio
