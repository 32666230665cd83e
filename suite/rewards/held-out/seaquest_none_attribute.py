from ocatari.ram.seaquest import *


def nearest(objects, kind, to):
    best = None
    for o in objects:
        if isinstance(o, kind) and (best is None or to.manathan_distance(o) < to.manathan_distance(best)):
            best = o
    return best


def reward_function(objects):
    player = next(o for o in objects if isinstance(o, Player))
    diver = nearest(objects, Diver, player)
    shark = nearest(objects, Shark, player)
    reward = 0.0
    # a typical mistake: nothing checks whether there is a diver
    reward -= abs(diver.x - player.x) / 160
    if shark is not None and shark.iou(player) > 0:
        reward -= 1
    return reward
