import functools

from ocatari.ram.spaceinvaders import *

call_counts = {}


def counted(func=None, *, label=None):
    """A decorator that works with and without arguments."""
    if func is None:
        return functools.partial(counted, label=label)
    key = label or func.__qualname__

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        call_counts[key] = call_counts.get(key, 0) + 1
        try:
            return func(*args, **kwargs)
        finally:
            wrapper.last_args = len(args) + len(kwargs)

    wrapper.last_args = 0
    return wrapper


def safe(default):
    def decorate(func):
        @functools.wraps(func)
        def inner(*a, **k):
            try:
                return func(*a, **k)
            except Exception:
                return default

        return inner

    return decorate


@counted
@safe(default=-0.25)
def aim(objects):
    player = [o for o in objects if o.category == "Player"][0]
    return -min(abs(o.x - player.x) for o in objects if o.category == "Alien") / 80


@counted(label="kills")
def kills(objects, total=36):
    return total - sum(1 for o in objects if o.category == "Alien")


def reward_function(objects):
    reward = aim(objects) + 0.1 * kills(objects, total=36)
    return reward + 1e-6 * sum(call_counts.values()) + 0.001 * kills.last_args + 1e-4 * len(aim.__name__)
