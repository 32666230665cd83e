import functools
import math

from ocatari.ram.freeway import *


def clip(low, high):
    """Decorator factory: clip the result of a reward function."""

    def decorator(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            value = func(*args, **kwargs)
            if math.isnan(value):
                return 0.0
            return max(low, min(high, value))

        wrapper.bounds = (low, high)
        return wrapper

    return decorator


def scaled(factor):
    def decorator(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            return factor * func(*args, **kwargs)

        return wrapper

    return decorator


@clip(-1.0, 0.0)
@scaled(0.1)
def collision_term(chicken, cars):
    """Penalise cars that are close in the chicken's lane."""
    total = 0.0
    for car in cars:
        if abs(car.y - chicken.y) < 12:
            total -= 1.0 / (1.0 + abs(car.x - chicken.x))
    return total * 10


@clip(0, 1)
def progress_term(chicken):
    return (187 - chicken.y) / 181


def reward_function(game_objects):
    chicken = game_objects[0]
    cars = [o for o in game_objects if isinstance(o, Car)]
    bonus = 0.001 if collision_term.__name__ == "collision_term" else 0.0
    low, _ = collision_term.bounds
    return collision_term(chicken, cars) + progress_term(chicken) + bonus + low * 0.01
