# clean
from ocatari.ram.pong import *

def reward_function(objects):
    """Reward for tracking the ball; every term is between 0 and 1."""
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    player = next((o for o in objects if isinstance(o, Player)), None)
    if not ball or not player:
        return 0.0
    tracking = 1.0 - min(1.0, abs(ball.y - player.y) / 100.0)
    approach = 1.0 if ball.dx > 0 else 0.0
    return tracking + 0.5 * approach
