import math
from functools import cache, lru_cache

from ocatari.ram.breakout import *


@cache
def angle(dx, dy):
    return math.degrees(math.atan2(-dy, dx)) % 360


@lru_cache(maxsize=64)
def angle_bonus(dx: int, dy: int) -> float:
    """Steep angles reach the top faster; the cache avoids repeated trigonometry."""
    a = angle(dx, dy)
    if 60 <= a <= 120:
        return 0.2
    if 30 <= a <= 150:
        return 0.1
    return 0.0


@lru_cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def reward_function(objects):
    ball = objects[1]
    if not ball:
        return 0.0
    reward = angle_bonus(ball.dx, ball.dy)
    info = angle_bonus.cache_info()
    if info.hits + info.misses > 0:
        reward += 0.01 * info.misses / (info.hits + info.misses)
    missing = 108 - sum(map(bool, objects[2:]))
    return reward + fib(min(missing, 20)) / 10000 + info.currsize / 1e4
