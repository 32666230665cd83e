import logging
import warnings

from ocatari.ram.spaceinvaders import *

logging.basicConfig(level=logging.INFO)
logger = logging.getLogger(__name__)
DEBUG = False


def reward_function(objects):
    player = None
    aliens = []
    for obj in objects:
        if isinstance(obj, Player):
            player = obj
        elif isinstance(obj, Alien):
            aliens.append(obj)

    if player is None:
        warnings.warn("player is missing", RuntimeWarning)
        logger.warning("no player among %d objects", len(objects))
        return -1.0

    if not aliens:
        logger.info("all aliens are gone")
        return 5.0

    lowest = max(a.y + a.h for a in aliens)
    if lowest > 120:
        logger.debug("aliens are low: %s", lowest)
    if DEBUG:
        print("lowest alien:", lowest)
    reward = (36 - len(aliens)) / 36
    reward -= lowest / 400
    print(f"reward={reward:.3f}", end="\r")
    return reward
