# causes: unknown-class
from ocatari.ram.pong import *

def reward_function(objects):
    paddle = [o for o in objects if o.category == "Paddle"]
    ball = [o for o in objects if o.category == "Ball"]
    if not paddle or not ball:
        return 0.0
    reward = 0.0
    if abs(paddle[0].y - ball[0].y) < 12:
        reward += 0.5
    if ball[0].dx > 0:
        reward += 0.1
    return reward
