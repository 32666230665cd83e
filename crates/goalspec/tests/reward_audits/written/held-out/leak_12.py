# clean
from ocatari.ram.freeway import *

CONFIG = {}

def configure():
    if not CONFIG:
        CONFIG.update(step=-0.001, goal=1.0)
    return CONFIG

def reward_function(objects):
    config = configure()
    chicken = objects[0]
    if chicken.y < 28 and chicken.prev_y >= 28:
        return config["goal"]
    return config["step"]
