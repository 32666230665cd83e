from ocatari.ram.breakout import *


def reward_function(objects):
    return 1 - len([o for o in objects if o.category == 'Block']) / 108
