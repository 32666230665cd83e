# finds: level-reward
from ocatari.ram.freeway import *

def get_score(objects):
    scores = [o.value for o in objects if isinstance(o, Score)]
    return scores[0] if scores else 0

def reward_function(objects):
    chicken = objects[0]
    shaping = (187 - chicken.y) / 187.0 * 0.01
    return get_score(objects) + shaping
