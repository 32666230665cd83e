import numpy as np

from ocatari.ram.spaceinvaders import *


def intervals(objs):
    return np.array([(o.x, o.x + o.w) for o in objs], dtype=np.int64).reshape(-1, 2)


def reward_function(objects):
    aliens = intervals(o for o in objects if isinstance(o, Alien))
    shields = intervals(o for o in objects if isinstance(o, Shield))
    screen = np.zeros(160, dtype=bool)
    for low, high in aliens:
        screen[low:high] = True
    covered = screen.copy()
    for low, high in shields:
        covered[low:high] = False
    player = next((o for o in objects if isinstance(o, Player)), None)
    reward = covered.mean() - screen.mean()
    if player is not None:
        exposed = covered[player.x : player.x + player.w]
        reward -= 0.2 * exposed.any() + 0.1 * exposed.all()
        free = np.where(~covered)[0]
        reward -= np.abs(free - player.x).min() / 160
    return float(reward)
