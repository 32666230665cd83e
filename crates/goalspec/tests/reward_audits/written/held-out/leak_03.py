# finds: state-leak
from ocatari.ram.freeway import *

def reward_function(objects, _memory={"best": 187}):
    chicken = objects[0]
    gain = max(0, _memory["best"] - chicken.y)
    _memory["best"] = min(_memory["best"], chicken.y)
    return gain / 100.0
