# finds: unbounded, state-leak
from ocatari.ram.pong import *

step_count = 0

def reward_function(objects):
    global step_count
    step_count += 1
    reward = 0.001 * step_count  # reward survival time
    return reward
