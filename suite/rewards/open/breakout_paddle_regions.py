from ocatari.ram.breakout import *

LEFT, CENTER, RIGHT = "left", "center", "right"


def region(paddle, x):
    """Which third of the paddle the ball will hit."""
    offset = x - paddle.x
    if offset < 0 or offset > paddle.w:
        return None
    third = paddle.w / 3
    return LEFT if offset < third else CENTER if offset < 2 * third else RIGHT


def reward_function(game_objects):
    paddle = None
    ball = None
    bricks = 0
    for o in game_objects:
        t = type(o)
        if t is Player:
            paddle = o
        elif t is Ball:
            ball = o
        elif t is Block:
            bricks += 1
    reward = 0.005 * (108 - bricks)
    if paddle is None or ball is None:
        return reward - 0.05
    where = region(paddle, ball.x + ball.w / 2)
    if ball.dy > 0:
        reward += {LEFT: 0.05, CENTER: 0.1, RIGHT: 0.05, None: -0.05}[where]
    elif where is not None and ball.y > 170:
        reward += 0.2
    return reward
