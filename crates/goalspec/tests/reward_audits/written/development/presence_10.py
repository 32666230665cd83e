# clean
from ocatari.ram.pong import *

def reward_function(objects):
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    player = next((o for o in objects if isinstance(o, Player)), None)
    if ball is None or player is None:
        return 0.0
    alive = 0.01
    gap = abs((ball.y + ball.h / 2) - (player.y + player.h / 2)) / 160.0
    return alive - 0.1 * gap
