# clean
from ocatari.ram.freeway import *

def reward_function(objects):
    cars = [o for o in objects if isinstance(o, Car)]
    chicken = objects[0]
    near = [c for c in cars if abs(c.y - chicken.y) < 16]
    danger = sum(1.0 / (1.0 + abs(c.x - chicken.x)) for c in near)
    return -chicken.dy / 10.0 - 0.05 * danger
