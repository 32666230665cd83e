from ocatari.ram.bowling import *


def stable(x, digits=3):
    """Round by formatting, as in a log file that is read back."""
    return float(f"{x:.{digits}f}")


def percent(part, whole):
    return float("{:.1%}".format(part / whole).rstrip("%"))


def reward_function(objects):
    ball = objects[1]
    standing = sum(o.category == "Pin" for o in objects)
    reward = percent(10 - standing, 10) / 1000
    reward += stable(ball.x / 7) / 100
    reward += stable(ball.y / 3, digits=1) / 1000
    text = "%.2e|%g|%8.3f|%-6d|%+d|%x" % (ball.x / 3, ball.y / 7, reward, standing, ball.dx, ball.x)
    parts = text.split("|")
    reward += float(parts[0]) / 1e4 + float(parts[1]) / 1e4 + int(parts[5], 16) / 1e6
    reward += float(str(ball.x / 9)) / 1e5 + len(repr(ball.x / 11)) / 1e5 + float("1e-5") * int(parts[3])
    return reward + (float("inf") > ball.x) * 1e-3 + int("0b101", 0) * 1e-6 + int(" 42 ") * 1e-7
