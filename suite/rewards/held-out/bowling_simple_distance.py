from ocatari.ram.bowling import *


def reward_function(game_objects) -> float:
    """Reward for knocking over pins and for a straight roll."""
    ball = None
    pins = []
    for obj in game_objects:
        if isinstance(obj, Ball):
            ball = obj
        elif isinstance(obj, Pin):
            pins.append(obj)

    reward = float(10 - len(pins))

    if ball is not None and pins:
        # distance of the ball to the closest pin
        closest = min(pins, key=lambda p: abs(p.x - ball.x) + abs(p.y - ball.y))
        distance = abs(closest.x - ball.x) + abs(closest.y - ball.y)
        reward += 1.0 / (1.0 + distance)

        # straight roll
        if ball.dx > 0 and ball.dy == 0:
            reward += 0.1
        elif ball.dx > 0:
            reward -= 0.05

    return reward
