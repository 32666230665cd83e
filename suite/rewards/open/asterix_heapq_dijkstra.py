import heapq
import math

from ocatari.ram.asterix import *

COLUMNS, ROWS = 18, 8


def grid_costs(objects):
    cost = [[1.0] * COLUMNS for _ in range(ROWS)]
    goals = set()
    for o in objects:
        if not o or isinstance(o, Player):
            continue
        r, c = min(ROWS - 1, max(0, (o.y - 26) // 16)), min(COLUMNS - 1, max(0, (o.x - 8) // 8))
        if isinstance(o, Enemy):
            for dc in (-1, 0, 1):
                if 0 <= c + dc < COLUMNS:
                    cost[r][c + dc] += 5.0
        else:
            goals.add((r, c))
    return cost, goals


def shortest(cost, start, goals):
    """Dijkstra's algorithm on the grid of lanes."""
    best = {start: 0.0}
    heap = [(0.0, start)]
    done = set()
    while heap:
        d, node = heapq.heappop(heap)
        if node in done:
            continue
        if node in goals:
            return d
        done.add(node)
        r, c = node
        for nr, nc in ((r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c)):
            if not (0 <= nr < ROWS and 0 <= nc < COLUMNS):
                continue
            new = d + cost[nr][nc]
            if new < best.get((nr, nc), math.inf):
                best[nr, nc] = new
                heapq.heappush(heap, (new, (nr, nc)))
    return math.inf


def reward_function(objects):
    player = objects[0]
    cost, goals = grid_costs(objects)
    start = min(ROWS - 1, (player.y - 26) // 16), min(COLUMNS - 1, (player.x - 8) // 8)
    distance = shortest(cost, start, goals)
    if math.isinf(distance):
        return -1.0
    return 1.0 / (1.0 + distance)
