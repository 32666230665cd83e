from ocatari.ram.bowling import *

FIRE = {1, 4, 5}
last_action = None


def reward_function(objects, action):
    global last_action
    ball = objects[1]
    reward = 0.0
    if action in FIRE:
        reward += 0.1 if ball.dx == 0 else -0.1
    if action is not None and action == last_action:
        reward += 0.001
    last_action = action
    down = 10 - sum(1 for o in objects[2:] if o)
    return reward + down * 0.05
