from bisect import bisect_left, bisect_right, insort

from ocatari.ram.spaceinvaders import *

# number of aliens alive -> bonus for the level of the game
THRESHOLDS = [6, 12, 18, 24, 30]
BONUS = [1.0, 0.6, 0.4, 0.2, 0.1, 0.0]


def reward_function(objects):
    aliens = [o for o in objects if isinstance(o, Alien)]
    player = next((o for o in objects if isinstance(o, Player)), None)

    reward = BONUS[bisect_right(THRESHOLDS, len(aliens))]
    if player is None:
        return reward - 1.0

    # columns of aliens, kept sorted
    columns = []
    for alien in aliens:
        center = alien.x + alien.w // 2
        spot = bisect_left(columns, center)
        if spot == len(columns) or columns[spot] != center:
            insort(columns, center)

    aim = player.x + player.w // 2
    right = bisect_left(columns, aim)
    gaps = []
    if right < len(columns):
        gaps.append(columns[right] - aim)
    if right > 0:
        gaps.append(aim - columns[right - 1])
    if gaps:
        reward += 0.05 * (1 - min(gaps) / 160)
    return reward
