from ocatari.ram.tennis import *


class K:
    """Constants, grouped."""

    NET = 98
    WIDTH = 160

    class Reward:
        HIT = 0.4
        CHASE = 0.05
        OUT = -0.3
        TABLE = [HIT, CHASE, OUT]

    class Limit:
        REACH = 18
        LINE = (10, 150)

    SCALE = 1 / WIDTH
    TOTAL = sum(Reward.TABLE)


def reward_function(objects):
    player, enemy, ball, shadow = objects
    if shadow.category == NoObject.__name__:
        return K.TOTAL * 0.01
    low, high = K.Limit.LINE
    reward = 0.0
    if not low < shadow.x < high:
        reward += K.Reward.OUT
    if abs(player.x - shadow.x) < K.Limit.REACH and shadow.y > K.NET:
        reward += K.Reward.HIT
    reward += K.Reward.CHASE * (1 - abs(player.center[0] - shadow.x) * K.SCALE)
    reward -= K.Reward.TABLE[1] * (enemy.center[0] - shadow.x) ** 2 * K.SCALE ** 2
    return reward
