from ocatari.ram.tennis import *

court = {"top": (20, 100), "bottom": (100, 180)}


def half(o):
    for name, (low, high) in court.items():
        if low <= o.y < high:
            return name
    return "outside"


def reward_function(objects):
    values = dict(top=0.3, bottom=-0.1, outside=-0.05)
    shadow = next((o for o in objects if isinstance(o, BallShadow)), None)
    if shadow is None:
        return 0
    where = half(shadow)
    reward = values[where]
    if where == "top" and shadow.dy < 0:
        reward += 0.2
    elif where == "bottom" and shadow.dy > 0:
        reward -= 0.1
    hud = [o for o in objects if o.hud]
    return reward if not hud else len(hud)
