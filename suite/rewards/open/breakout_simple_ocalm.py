from ocatari.ram.breakout import *


def detect_collision(obj1, obj2):
    return (
        obj1.x < obj2.x + obj2.w
        and obj1.x + obj1.w > obj2.x
        and obj1.y < obj2.y + obj2.h
        and obj1.y + obj1.h > obj2.y
    )


def missed_ball(ball, player):
    return ball.y > player.y + player.h


def reward_function(game_objects) -> float:
    reward = 0.0

    # Categorize game objects
    player = None
    ball = None
    blocks = []

    for obj in game_objects:
        if isinstance(obj, Player):
            player = obj
        elif isinstance(obj, Ball):
            ball = obj
        elif isinstance(obj, Block):
            blocks.append(obj)

    if ball is None or player is None:
        return reward

    # Reward for hitting a block
    for block in blocks:
        if detect_collision(ball, block):
            reward += 1.0

    # Reward for hitting the ball with the paddle
    if detect_collision(ball, player):
        reward += 0.5

    # Penalty for missing the ball
    if missed_ball(ball, player):
        reward -= 1.0

    # Small reward for following the ball
    if abs(player.x + player.w / 2 - ball.x) < 10:
        reward += 0.01

    return reward
