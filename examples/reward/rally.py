from ocatari.ram.pong import *


def touches(a, b):
    return a.x <= b.x + b.w and b.x <= a.x + a.w and a.y <= b.y + b.h and b.y <= a.y + a.h


def reward_function(objects):
    player = next((o for o in objects if isinstance(o, Player)), None)
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    reward = 0.0
    if player is None or ball is None:
        return reward
    # Keep level with the ball.
    gap = abs(player.center[1] - ball.center[1])
    reward -= 0.01 * min(gap / 100, 1)
    # Return it.
    if touches(player, ball):
        reward += 1.0
    # It got past.
    if ball.x > player.x + player.w:
        reward -= 1.0
    return reward
