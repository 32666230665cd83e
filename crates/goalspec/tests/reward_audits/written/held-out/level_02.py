# finds: level-reward, state-leak
from ocatari.ram.pong import *

hits = 0

def reward_function(objects):
    global hits
    player = next((o for o in objects if isinstance(o, Player)), None)
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    if player is None or ball is None:
        return hits * 0.1
    if ball.prev_x < ball.x and ball.x > 120 and abs(ball.y - player.y) < 16:
        hits += 1
    return hits * 0.1
