# clean
from ocatari.ram.pong import *

def reward_function(objects):
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    player = next((o for o in objects if isinstance(o, Player)), None)
    if ball is None or player is None:
        return 0.0
    before = abs(ball.prev_y - player.prev_y)
    return (before - abs(ball.y - player.y)) * 0.01
