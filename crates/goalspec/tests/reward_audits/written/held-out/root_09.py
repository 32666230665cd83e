# causes:
from ocatari.ram.pong import *

def reward_function(objects):
    ball = next((o for o in objects if o.category == "Ball"), None)
    player = next((o for o in objects if o.category == "Player"), None)
    if ball is None or player is None:
        return 0.0
    return 0.1 * (ball.dx < 0) - 0.001 * abs(ball.y - player.y)
