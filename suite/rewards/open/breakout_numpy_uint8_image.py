import numpy as np

from ocatari.ram.breakout import *


def render(objects):
    """A coarse grey image of the screen, 8 pixels to a cell."""
    image = np.zeros((27, 20), dtype=np.uint8)
    for o in objects:
        if o:
            r, c = o.y // 8, o.x // 8
            image[r : r + max(1, o.h // 8), c : c + max(1, o.w // 8)] += 90
    return image


previous = None


def reward_function(objects):
    global previous
    image = render(objects)
    if previous is None:
        previous = np.zeros_like(image)
    change = np.abs(image.astype(np.int32) - previous.astype(np.int32))
    previous = image
    rows = image.sum(axis=1)
    filled, counts = np.unique(image, return_counts=True)
    reward = -rows[:14].sum() / 1e5 + np.count_nonzero(change) / 100
    reward += filled[-1] / 1000 + counts[0] / 1e5
    flipped = image[::-1, ::-1].T
    return float(reward + flipped[0].mean() / 1e4 + image.flatten().argmax() / 1e5 + image.nbytes / 1e6)
