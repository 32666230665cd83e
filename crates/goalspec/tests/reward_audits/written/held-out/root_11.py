# causes: dead-threshold
from ocatari.ram.pong import *

def scored(ball):
    return ball.x >= 160

def reward_function(objects):
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    if ball is None:
        return 0.0
    reward = -0.01 if ball.dx > 0 else 0.01
    if scored(ball):
        reward -= 1.0
    return reward
