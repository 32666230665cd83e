# ---------------------------------------------------------------------------
# Reward for Pong, written without any helper: everything is spelled out.
# ---------------------------------------------------------------------------
from ocatari.ram.pong import *

PADDLE_BONUS = 0.3
EDGE_PENALTY = 0.05
CENTER_Y = 114
MAX_REWARD = 1.0
MIN_REWARD = -1.0


def reward_function(game_objects):
    reward = 0.0
    player_x = player_y = player_h = player_w = player_dy = None
    enemy_y = enemy_h = enemy_dy = None
    ball_x = ball_y = ball_dx = ball_dy = None

    for obj in game_objects:
        if obj.category == "Player":
            player_x = obj.x
            player_y = obj.y
            player_w = obj.w
            player_h = obj.h
            player_dy = obj.dy
        elif obj.category == "Enemy":
            enemy_y = obj.y
            enemy_h = obj.h
            enemy_dy = obj.dy
        elif obj.category == "Ball":
            ball_x = obj.x
            ball_y = obj.y
            ball_dx = obj.dx
            ball_dy = obj.dy

    if player_x is None:
        return 0.0

    # 1. Position of the paddle
    player_center = player_y + player_h / 2
    if player_y <= 36 or player_y + player_h >= 192:
        reward -= EDGE_PENALTY
    if ball_x is None:
        # Without a ball, wait in the middle
        reward += 0.02 - abs(player_center - CENTER_Y) / 2000
        if player_dy == 0:
            reward += 0.01
        return reward

    # 2. Distance of paddle and ball
    distance = abs(player_center - ball_y)
    if ball_dx > 0:
        if distance < player_h / 2:
            reward += 0.1
        elif distance < player_h:
            reward += 0.05
        else:
            reward -= 0.001 * distance
        # 3. Moving in the right direction
        if ball_y > player_center and player_dy > 0:
            reward += 0.02
        elif ball_y < player_center and player_dy < 0:
            reward += 0.02
        elif player_dy != 0:
            reward -= 0.02
    else:
        reward += 0.01

    # 4. Contact
    if player_x - 4 <= ball_x <= player_x + player_w and player_y <= ball_y <= player_y + player_h:
        reward += PADDLE_BONUS
        if abs(ball_dy) > 3:
            reward += 0.1

    # 5. The opponent
    if enemy_y is not None:
        enemy_center = enemy_y + enemy_h / 2
        if ball_dx < 0:
            reward += min(0.2, abs(enemy_center - ball_y) / 200)
            if enemy_dy * (ball_y - enemy_center) < 0:
                reward += 0.05

    # 6. Points
    if ball_x < 12:
        reward += 1.0
    elif ball_x > 148:
        reward -= 1.0

    if reward > MAX_REWARD:
        reward = MAX_REWARD
    elif reward < MIN_REWARD:
        reward = MIN_REWARD
    return reward
