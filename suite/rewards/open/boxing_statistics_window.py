import statistics
from collections import defaultdict, deque

from ocatari.ram.boxing import *

windows = defaultdict(lambda: deque(maxlen=10))


def push(name, value):
    window = windows[name]
    window.append(value)
    return window


def reward_function(objects):
    me, other = objects[0], objects[1]
    gaps = push("gap", abs(me.x - other.x))
    heights = push("height", abs(me.y - other.y))
    arms = push("arms", me.right_arm_length + me.left_arm_length)
    reward = -statistics.fmean(gaps) / 160 - statistics.mean(heights) / 210
    reward += statistics.median(arms) / 64
    if len(gaps) > 2:
        reward -= statistics.stdev(gaps) / 100
        try:
            reward += 0.1 * statistics.correlation(list(gaps), list(arms))
            slope, intercept = statistics.linear_regression(list(gaps), list(heights))
            reward += slope / 100 + intercept / 1000
        except statistics.StatisticsError as error:
            reward -= len(str(error)) / 1000
    return reward
