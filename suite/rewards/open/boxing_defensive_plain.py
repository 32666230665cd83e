from ocatari.ram.boxing import *

IDEAL_X = 34
IDEAL_Y = 8


def reward_function(objects):
    player = None
    enemy = None
    player_score = 0
    enemy_score = 0
    for o in objects:
        if isinstance(o, Player):
            player = o
        elif isinstance(o, Enemy):
            enemy = o
        elif isinstance(o, PlayerScore):
            player_score = o.value
        elif isinstance(o, EnemyScore):
            enemy_score = o.value

    if player is None or enemy is None:
        return 0.0

    dx = abs(player.x - enemy.x)
    dy = abs(player.y - enemy.y)
    reward = 0.0
    reward -= abs(dx - IDEAL_X) / 200
    reward -= max(0, dy - IDEAL_Y) / 300
    if enemy.right_arm_length > 8 or enemy.left_arm_length > 8:
        if dx > 40 or dy > 40:
            reward += 0.1
        else:
            reward -= 0.1
    if player.right_arm_length > 8 or player.left_arm_length > 8:
        if dx < 40 and dy < 30:
            reward += 0.2
    reward += (player_score - enemy_score) * 0.01
    return max(-1, min(1, reward))
