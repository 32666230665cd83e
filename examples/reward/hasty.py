from ocatari.ram.pong import *


def reward_function(objects):
    ball = None
    paddle = None
    for o in objects:
        if o.category == "Ball":
            ball = o
        elif o.category == "player":
            paddle = o
    reward = 0.0
    # The ball is near the enemy.
    if ball.x < 20:
        reward += 1.0
    hit_bonus = 0.5 if paddle and ball.is_on_top(paddle) else 0.0
    return reward
