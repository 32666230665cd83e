from ocatari.ram.pong import *

depth = 0
errors = []


def guarded(f, *args):
    global depth
    depth += 1
    try:
        return f(*args)
    except AttributeError as e:
        errors.append(type(e).__name__)
        return 0.0
    except (ZeroDivisionError, KeyError) as e:
        errors.append(e.__class__.__name__)
        return 1.0
    finally:
        depth -= 1


def slope(ball):
    return ball.dy / ball.dx


def facing(objects):
    table = {o.category: o for o in objects}
    return table["Enemy"].y - table["Player"].y


def reward_function(objects):
    ball = objects[1] if objects[1] else None
    reward = guarded(slope, ball)
    reward += guarded(facing, [o for o in objects if o]) / 200
    assert depth == 0, "unbalanced"
    if len(errors) > 20:
        errors[:] = errors[-5:]
    return reward - len(errors) / 100
