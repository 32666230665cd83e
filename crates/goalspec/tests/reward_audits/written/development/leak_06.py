# finds: state-leak
from ocatari.ram.freeway import *

def reward_function(objects):
    chicken = objects[0]
    last = getattr(reward_function, "last_y", chicken.y)
    reward_function.last_y = chicken.y
    return (last - chicken.y) / 20.0
