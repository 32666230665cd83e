# finds: state-leak
from ocatari.ram.pong import *

prev_distance = None

def reward_function(objects):
    global prev_distance
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    player = next((o for o in objects if isinstance(o, Player)), None)
    if ball is None or player is None:
        return 0.0
    distance = abs(ball.y - player.y)
    reward = 0.0 if prev_distance is None else (prev_distance - distance) * 0.01
    prev_distance = distance
    return reward
