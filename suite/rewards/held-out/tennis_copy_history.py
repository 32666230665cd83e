import copy

from ocatari.ram.tennis import *

TEMPLATE = {"rally": 0, "sides": [], "last": {"dy": 0}}
state = copy.deepcopy(TEMPLATE)


def reset():
    global state
    state = copy.deepcopy(TEMPLATE)


def update(ball):
    before = copy.copy(state)
    before_last = copy.deepcopy(state["last"])
    state["last"]["dy"] = ball.dy
    if before_last["dy"] * ball.dy < 0:
        state["rally"] += 1
        state["sides"].append("far" if ball.dy > 0 else "near")
    # the shallow copy shares its lists with the state, but not its numbers
    return state["rally"] - before["rally"], len(before["sides"])


def reward_function(objects):
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    if ball is None:
        if state["rally"]:
            bonus = 0.1 * state["rally"]
            reset()
            return bonus
        return 0.0
    hits, total = update(ball)
    return 0.5 * hits + 0.01 * total + 0.001 * state["sides"].count("far") - 0.002 * len(TEMPLATE["sides"])
