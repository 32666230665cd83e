import numpy as np

from ocatari.ram.bowling import *

LAYOUT = np.array([[121, 130], [125, 125], [125, 135], [129, 120], [129, 130], [129, 140], [133, 115], [133, 125], [133, 135], [133, 145]])


def reward_function(objects):
    present = np.array([bool(o) for o in objects[2:]])
    standing = LAYOUT[present]
    fallen = LAYOUT[~present]
    ball = np.array(objects[1].xy)
    reward = 0.1 * len(fallen)
    if standing.size:
        offsets = standing - ball
        order = np.argsort(np.abs(offsets[:, 1]), kind="stable")
        reward -= abs(int(offsets[order[0], 1])) / 200
        rows, counts = np.unique(standing[:, 0], return_counts=True)
        reward += dict(zip(rows.tolist(), counts.tolist())).get(133, 0) / 100
        reward -= float(np.ptp(standing[:, 1])) / 1000
    table = np.hstack([LAYOUT, present[:, None].astype(int)])
    weighted = np.average(table[:, 1], weights=table[:, 2] + 1)
    return reward + float(weighted) / 1e4 + float(np.outer([1, 2], [3, 4]).trace()) / 1e4
