from ocatari.ram.bowling import *


def remember(value, memory=[]):
    memory.append(value)
    if len(memory) > 10:
        del memory[0]
    return memory


def trend(values):
    if len(values) < 2:
        return 0
    return values[-1] - values[0]


def reward_function(objects, cache={}):
    ball = objects[1]
    pins = sum(isinstance(o, Pin) for o in objects)
    positions = remember(ball.x)
    cache["steps"] = cache.get("steps", 0) + 1
    best = cache.setdefault("best", pins)
    if pins < best:
        cache["best"] = pins
        return 1.0 + (best - pins) / 10
    return trend(positions) / 500 - cache["steps"] / 1e5
