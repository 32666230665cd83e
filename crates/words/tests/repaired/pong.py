from ocatari.ram.pong import *


def reward_function(game_objects) -> float:
    player = None
    enemy = None
    ball = None
    for obj in game_objects:
        if obj.category == "Player":
            player = obj
        elif obj.category == "Enemy":
            enemy = obj
        elif obj.category == "Ball":
            ball = obj
    if player is None or enemy is None or ball is None:
        return 0.0
    if ball.x < enemy.x:
        return 1.0
    if ball.x > player.x + player.w:
        return -1.0
    return 0.0
