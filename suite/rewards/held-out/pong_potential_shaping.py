# Potential-based reward shaping: F(s, s') = gamma * phi(s') - phi(s)
import math

from ocatari.ram.pong import *

GAMMA = 0.99
_prev_phi = None
_hits = 0


def phi(player, ball):
    """Potential: high when the paddle is aligned with the incoming ball."""
    if ball is None:
        return 0.0
    alignment = math.exp(-abs(player.center[1] - ball.center[1]) / 30)
    closeness = 1 - math.hypot(player.x - ball.x, player.y - ball.y) / 230
    return 0.7 * alignment + 0.3 * closeness


def reward_function(game_objects):
    global _prev_phi, _hits
    player = ball = None
    for obj in game_objects:
        if obj.category == "Player":
            player = obj
        if obj.category == "Ball":
            ball = obj
    if player is None:
        return 0.0
    value = phi(player, ball)
    shaping = 0.0
    if _prev_phi is not None:
        shaping = GAMMA * value - _prev_phi
    _prev_phi = value
    if ball is not None and ball.dx < 0 and ball.x > 130:
        _hits += 1
        shaping += 0.5 / math.sqrt(_hits)
    return shaping
