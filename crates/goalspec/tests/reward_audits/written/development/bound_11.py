# finds: state-leak
from ocatari.ram.pong import *
from collections import deque

recent = deque(maxlen=16)

def reward_function(objects):
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    if ball is not None:
        recent.append(ball.x)
    if len(recent) < 2:
        return 0.0
    return (recent[-1] - recent[0]) / 160.0
