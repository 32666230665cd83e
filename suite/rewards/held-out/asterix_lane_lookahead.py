from ocatari.ram.asterix import *

LANE_COUNT = 8


def lane_index(y):
    return max(0, min(LANE_COUNT - 1, round((y - 26) / 16)))


def next_x(o, steps):
    return o.x + o.dx * steps


def expected_value(objects, lane, x, horizon=4):
    """Value of staying at x in the lane for some steps."""
    value = 0.0
    for o in objects:
        if lane_index(o.y) != lane or isinstance(o, Player) or not o:
            continue
        for step in range(1, horizon + 1):
            if abs(next_x(o, step) - x) < 8:
                gain = -1.0 if isinstance(o, Enemy) else 0.5
                value += gain * 0.9 ** step
                break
    return value


def reward_function(objects):
    player = next(o for o in objects if isinstance(o, Player))
    lane = lane_index(player.y)
    options = {}
    for delta in (-1, 0, 1):
        if 0 <= lane + delta < LANE_COUNT:
            options[delta] = expected_value(objects, lane + delta, player.x)
    best = max(options.values())
    regret = best - options[0]
    return options[0] - 0.1 * regret + 0.01 * len([d for d, v in options.items() if v == best])
