from ocatari.ram.breakout import *


def flood(cells, start, seen):
    """The size of the connected hole that contains the cell."""
    if start in seen or start not in cells:
        return 0
    seen.add(start)
    r, c = start
    return 1 + sum(flood(cells, n, seen) for n in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)))


def reward_function(objects):
    holes = set()
    for index, block in enumerate(objects[2:]):
        if not block:
            holes.add(divmod(index, 18))
    seen = set()
    sizes = []
    for hole in sorted(holes):
        size = flood(holes, hole, seen)
        if size:
            sizes.append(size)
    reward = len(holes) * 0.02
    if sizes:
        reward += max(sizes) * 0.05 - (len(sizes) - 1) * 0.01
    open_top = any(row == 0 for row, _ in holes)
    return reward + 0.5 * open_top
