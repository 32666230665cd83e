# finds: presence-reward
from ocatari.ram.pong import *

def reward_function(objects):
    ball = None
    player = None
    for o in objects:
        if isinstance(o, Ball):
            ball = o
        elif isinstance(o, Player):
            player = o
    reward = 0.0
    if ball is not None:
        reward += 0.05  # the ball is in play
    if ball is not None and player is not None and abs(ball.y - player.y) < 8:
        reward += 0.1
    return reward
