from ocatari.ram.asterix import *

PRIORITY = ["Enemy", "Consumable", "Reward"]


def reward_function(objects):
    player = objects[0]
    visible = [o for o in objects[1:] if o]
    visible.sort(key=lambda o: (PRIORITY.index(o.category), abs(o.y - player.y), -o.x))
    reward, discount = 0.0, 1.0
    for o in visible:
        value = {"Enemy": -0.3, "Consumable": 0.25, "Reward": 0.2}[o.category]
        near = 1 / (1 + player.manathan_distance(o) / 20)
        reward += discount * value * near
        discount *= 0.9
        if discount < 0.5:
            break
    else:
        reward += 0.01
    index, nearest = player.closest_object(visible) if visible else (-1, None)
    if nearest is not None:
        reward += 0.001 * index + player.iou(nearest)
    return reward
