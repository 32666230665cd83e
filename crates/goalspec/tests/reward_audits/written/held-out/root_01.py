# causes: unknown-class
from ocatari.ram.pong import *

def reward_function(objects):
    player = None
    ball = None
    for o in objects:
        if o.category == "Player":
            player = o
        elif o.category == "Bal":
            ball = o
    reward = 0.0
    if ball is not None and player is not None:
        if abs(ball.y - player.y) < 10:
            reward += 0.2
        if ball.dx < 0:
            reward += 0.1
        if ball.x > 140:
            reward -= 1.0
    return reward
