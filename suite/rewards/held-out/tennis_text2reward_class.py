import numpy as np
from ocatari.ram.tennis import *


class TennisReward:
    """Staged dense reward in the Text2Reward style.

    Stage 1: reach the ball (distance of player and ball)
    Stage 2: hit it (the ball moves away from the player)
    Stage 3: regularise the movement of the player
    """

    def __init__(self):
        self.prev_distance = None

    def compute_dense_reward(self, player, ball, shadow) -> float:
        reward = 0.0
        pos = np.array([player.x + player.w / 2, player.y + player.h / 2])
        ball_pos = np.array([shadow.x, shadow.y], dtype=np.float64)
        # Stage 1
        distance = np.linalg.norm(pos - ball_pos)
        reaching_reward = 1 - np.tanh(distance / 40.0)
        reward += 0.3 * reaching_reward
        # Stage 2
        if ball.dy < 0:
            reward += 0.5
        # Stage 3
        velocity = np.array([player.dx, player.dy])
        reward -= 0.01 * np.square(velocity).sum()
        if self.prev_distance is not None:
            reward += 0.05 * np.clip(self.prev_distance - distance, -1.0, 1.0)
        self.prev_distance = distance
        return float(reward)


reward_model = TennisReward()


def reward_function(objects):
    player, enemy, ball, shadow = objects
    if not ball:
        reward_model.prev_distance = None
        return 0.0
    return reward_model.compute_dense_reward(player, ball, shadow)
