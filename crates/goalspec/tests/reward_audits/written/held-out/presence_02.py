# finds: presence-reward
from ocatari.ram.freeway import *

CAR_BONUS = 0.02

def reward_function(objects):
    cars = [o for o in objects if o.category == "Car"]
    chicken = objects[0]
    progress = -chicken.dy / 10.0
    return progress + CAR_BONUS * len(cars)
