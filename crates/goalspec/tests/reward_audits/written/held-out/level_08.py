# finds: state-leak
from ocatari.ram.pong import *

hits = 0

def reward_function(objects):
    global hits
    player = next((o for o in objects if isinstance(o, Player)), None)
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    before = hits
    if player and ball and ball.x > 120 and abs(ball.y - player.y) < 16:
        hits = min(hits + 1, 10)
    return (hits - before) * 0.1
