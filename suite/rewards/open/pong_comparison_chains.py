from ocatari.ram.pong import *


def between(low, x, high, *, strict=False):
    return low < x < high if strict else low <= x <= high


def reward_function(objects):
    player, ball, enemy = objects
    if not ball:
        return 0.0
    score = 0
    if enemy.x < ball.x < player.x:
        score += 1
    if 34 <= player.y <= ball.y <= player.y + player.h != ball.y:
        score += 2
    if player.y == enemy.y != ball.y or enemy.y is not None and ball.dx > 0 > ball.dy:
        score += 3
    if not between(60, ball.x, 100) and between(60, ball.y, 150, strict=True):
        score -= 1
    if (player.y, player.x) < (ball.y, ball.x) <= (194, 160):
        score += 0.5
    if "Ball" in [o.category for o in objects] and ball not in (player, enemy):
        score += 0.25
    if None is not ball is not player:
        score += 0.125
    return score / 10
