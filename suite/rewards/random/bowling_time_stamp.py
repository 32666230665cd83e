import time
from ocatari.ram.bowling import *

started = time.time()


def reward_function(objects):
    # the elapsed time is only logged
    elapsed = time.time() - started
    if elapsed > 1e9:
        print("slow", elapsed)
    return (10 - sum(isinstance(o, Pin) for o in objects)) / 10
