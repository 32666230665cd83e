from ocatari.ram.bowling import *


class RewardError(Exception):
    """Something is missing on the screen."""


class MissingObject(RewardError):
    def __init__(self, name, *, found=0):
        super().__init__(f"no {name} ({found} found)")
        self.name = name


def one(objects, kind):
    found = [o for o in objects if isinstance(o, kind)]
    if not found:
        raise MissingObject(kind.__name__.lower())
    if len(found) > 1:
        raise RewardError("too many", kind.__name__, len(found))
    return found[0]


def reward_function(objects):
    reward = 0.0
    try:
        ball = one(objects, Ball)
        reward += ball.x / 160
        one(objects, Pin)
    except MissingObject as error:
        reward += 1.0 + len(str(error)) / 1000
        if error.name == "pin":
            reward += 1
    except RewardError as error:
        _, name, count = error.args
        reward += 0.1 * (10 - count) + len(name) / 1000
    else:
        reward += 0.9
    finally:
        reward -= 0.01
    return reward
