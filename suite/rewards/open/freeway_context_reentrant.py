from contextlib import ContextDecorator, contextmanager

from ocatari.ram.freeway import *

stack = []


class scope(ContextDecorator):
    """Usable as `with scope("name")` and as a decorator."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        stack.append(self.name)
        return ".".join(stack)

    def __exit__(self, exc_type, exc, tb):
        stack.pop()
        return exc_type is KeyError


@contextmanager
def default(container, key, value):
    missing = key not in container
    if missing:
        container[key] = value
    try:
        yield container[key]
    finally:
        if missing:
            del container[key]


@scope("collision")
def collisions(chicken, cars):
    hits = sum(chicken.iou(car) > 0 for car in cars)
    return -hits * len(stack)


def reward_function(objects):
    chicken, _, *cars = [o for o in objects if not o.hud]
    weights = {"progress": 0.5}
    reward = collisions(chicken, cars)
    with scope("outer") as name, default(weights, "speed", 0.05) as speed:
        reward -= speed * chicken.dy
        with scope("inner") as path:
            reward += weights["progress"] * (187 - chicken.y) / 187 + len(path) / 1000 + len(name) / 1e4
            reward += weights["missing"]
        reward += 0.001
    return reward + len(weights) / 100 + len(stack)
