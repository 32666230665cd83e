from ocatari.ram.bowling import *

# (condition, reward) pairs, checked in order
STAGES = [
    ("strike", lambda s: s["pins"] == 0, 10),
    ("spare like", lambda s: s["pins"] <= 2 and s["rolling"], 5),
    ("good", lambda s: s["pins"] <= 5, 2),
    ("rolling", lambda s: s["rolling"], 0.5),
    ("start", lambda s: True, 0),
]


def reward_function(objects):
    s = {
        "pins": len([o for o in objects if isinstance(o, Pin)]),
        "rolling": objects[1].dx > 0 if objects[1] else False,
        "row": {o.y for o in objects if isinstance(o, Pin)},
    }
    for index, (name, condition, value) in enumerate(STAGES):
        if condition(s):
            break
    else:
        raise RuntimeError("no stage")
    bonus = 0.01 * (len(STAGES) - index)
    if 130 not in s["row"] and name != "strike":
        bonus += 0.3
    return value / 10 + bonus
