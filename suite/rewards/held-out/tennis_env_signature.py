from ocatari.ram.tennis import *


def reward_function(env):
    """HackAtari style: the environment has the objects."""
    player = env.objects[0]
    enemy = env.objects[1]
    ball = env.objects[2]
    shadow = env.objects[3]
    if ball.category == "NoObject":
        return 0.0
    height = shadow.y - ball.y
    to_player = abs(ball.x - player.x)
    to_enemy = abs(ball.x - enemy.x)
    reward = 0.0
    if ball.dy > 0:
        reward -= to_player / 160
    else:
        reward += to_enemy / 160
    if height > 8:
        reward += 0.01 * height
    return reward
