"""Writes pong.hex: the RAM of an invented game of Pong, two episodes, for `goalspec trace record`.

The ball is at bytes 49 and 54, the enemy's paddle at 50, the player's at 51, the points at 13 and 14. Of the other bytes, nothing is read.
Every line is `reset` and RAM, or an action's number, the points that it brought, and RAM, in hexadecimal.
"""

import pathlib


def frame(ball, enemy, player, points):
    ram = [0] * 128
    if ball is not None:
        ram[49], ram[54] = ball[0] + 49, ball[1] + 14
    ram[50], ram[51] = enemy + 15, player + 13
    ram[13], ram[14] = points
    return bytes(ram).hex()


def episode(misses_after):
    """The player follows the ball and returns it, until it stays where it is."""
    points, player, enemy = [0, 0], 100, 90
    x, y, dx, dy = 78, 60, 4, 3
    lines = ["reset " + frame(None, enemy, player, points)]
    returned = 0
    for _ in range(160):
        x, y = x + dx, y + dy
        if not 36 <= y <= 190:
            dy, y = -dy, min(max(y, 36), 190)
        if returned < misses_after:
            player += max(-6, min(6, y - 6 - player))
        enemy += max(-5, min(5, y - 6 - enemy))
        if dx > 0 and x + 2 >= 140 and player - 4 <= y <= player + 15:
            x, dx, returned = 138, -dx, returned + 1
        elif dx < 0 and x <= 20:
            x, dx = 20, -dx
        if x > 152:
            points[0] += 1
            lines.append("0 -1 " + frame(None, enemy, player, points))
            break
        lines.append("0 0 " + frame((x, y), enemy, player, points))
    return lines


if __name__ == "__main__":
    text = "\n".join(episode(2) + episode(1)) + "\n"
    pathlib.Path(__file__).with_name("pong.hex").write_text(text)
