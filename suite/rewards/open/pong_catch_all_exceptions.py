import traceback

from ocatari.ram.pong import *


class RewardFailure(RuntimeError):
    pass


def unsafe(objects):
    player, ball, enemy = objects
    ratio = (ball.y - player.y) / ball.dy
    table = {1: "up", -1: "down"}
    return len(table[int(ratio / abs(ratio))]) + [0.5, 0.25][ball.dx > 0]


def reward_function(objects):
    try:
        return unsafe(objects)
    except ZeroDivisionError:
        return 0.0
    except LookupError as e:
        return -0.25 if isinstance(e, KeyError) else -0.5
    except (TypeError, AttributeError) as e:
        raise RewardFailure("bad objects") from e
    except Exception:
        traceback.print_exc()
        return -1.0
