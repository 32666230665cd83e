from ocatari.ram.skiing import *

print("loading the reward function")
step_count = 0


def reward_function(objects):
    global step_count
    step_count += 1
    player = objects[0]
    reward = 0.0
    trees = [o for o in objects if o.category == "Tree"]
    for tree in trees:
        dx = tree.x + tree.w / 2 - (player.x + player.w / 2)
        dy = tree.y + tree.h - (player.y + player.h)
        dist = (dx ** 2 + dy ** 2) ** 0.5
        if dist < 15:
            reward -= 1.0
            print("too close to a tree", round(dist, 2), sep=": ")
        elif dist < 40:
            reward -= 0.1
    # reward for going downhill
    reward += 0.02 * (8 - abs(player.orientation - 8))
    if step_count % 100 == 0:
        print("step", step_count, "reward", reward, flush=True)
    return reward
