from ocatari.ram.pong import *

FIELD_TOP, FIELD_BOTTOM = 34, 194


def predict_y(ball, target_x):
    """Simulates the ball until it reaches `target_x`, with bounces."""
    if ball.dx == 0:
        return ball.y
    x, y, dy = ball.x, ball.y, ball.dy
    steps = 0
    while (remaining := (target_x - x) * (1 if ball.dx > 0 else -1)) > 0 and steps < 100:
        x += ball.dx
        y += dy
        if not FIELD_TOP <= y <= FIELD_BOTTOM:
            dy = -dy
            y = max(FIELD_TOP, min(FIELD_BOTTOM, y))
        steps += 1
    else:
        if remaining > 0:
            return ball.y
    return y


def reward_function(objects):
    if (ball := objects[1]) and (player := objects[0]):
        if ball.dx > 0:
            target = predict_y(ball, player.x)
            if (error := abs(target - (player.y + player.h // 2))) <= player.h:
                return 0.2 - error / 200
            return -error / 200
        return 0.05
    return 0.0
