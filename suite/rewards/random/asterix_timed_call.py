import time

from ocatari.ram.asterix import *

durations = []


def reward_function(objects):
    start = time.perf_counter()
    value = sum(1 for o in objects if isinstance(o, Reward)) - sum(1 for o in objects if isinstance(o, Enemy))
    durations.append(time.perf_counter() - start)
    return value / 10
