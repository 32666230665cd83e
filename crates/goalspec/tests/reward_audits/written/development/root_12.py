# causes: raises
from ocatari.ram.pong import *

def reward_function(objects):
    ball = None
    for o in objects:
        if isinstance(o, Ball):
            ball = o
    reward = 0.0
    if ball.x > 80:
        reward += 0.1
    if ball.dx < 0:
        reward += 0.1
    return reward
