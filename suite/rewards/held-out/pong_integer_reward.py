from ocatari.ram.pong import *


def sign(x):
    return (x > 0) - (x < 0)


def reward_function(objects):
    player, ball, enemy = objects
    if not ball:
        return 0
    vertical = sign(ball.y + ball.h // 2 - (player.y + player.h // 2))
    moving = sign(player.dy)
    if ball.dx <= 0:
        return moving == 0
    if vertical == moving:
        return 2
    return -abs(vertical - moving) ** 2 // 3
