from ocatari.ram.seaquest import *

KINDS = {"Shark": -1.0, "Submarine": -1.5, "EnemyMissile": -2.0, "Diver": 1.0}


def reward_function(objects):
    me = [o for o in objects if o.category == "Player"]
    if not me:
        return 0
    player = me[0]
    # 4x4 grid of influence
    grid = [
        [
            sum(KINDS.get(o.category, 0) for o in objects if o.x // 40 == column and o.y // 53 == row)
            for column in range(4)
        ]
        for row in range(4)
    ]
    row, column = min(3, player.y // 53), min(3, player.x // 40)
    neighbours = {
        (r, c): grid[r][c]
        for r in range(max(0, row - 1), min(4, row + 2))
        for c in range(max(0, column - 1), min(4, column + 2))
        if (r, c) != (row, column)
    }
    flat = [value for line in grid for value in line]
    transposed = list(map(list, zip(*grid)))
    unique = {value for line in transposed for value in line if value}
    return grid[row][column] * 0.3 + sum(neighbours.values()) * 0.05 + len(unique) / 1000 + max(flat) / 100
