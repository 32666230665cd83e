from ocatari.ram.pong import *


def reward_function(objects):
    player = next((o for o in objects if isinstance(o, Player)), None)
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    if player is None or ball is None:
        return 0.0
    reward = 0.0
    # Return the ball.
    if ball.x > player.x and abs(ball.y - player.y) < 10:
        reward += 1.0
    # Score.
    if ball.x <= 0:
        reward += 10.0
    # Do not fidget.
    if player.dy == 0:
        reward += 0.1
    return reward


def speed(ball):
    return abs(ball.dx) + abs(ball.dy)
