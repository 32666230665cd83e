import re

from ocatari.ram.seaquest import *

# e.g. "Shark at (30, 141), (8, 7)"
PATTERN = re.compile(r"^(?P<kind>[A-Za-z]+) at \((?P<x>-?\d+), (?P<y>-?\d+)\), \((\d+), (\d+)\)$")


def parse(obj):
    found = PATTERN.match(str(obj))
    if found is None:
        return None
    kind, x, y = found.group("kind", "x", "y")
    return kind, int(x), int(y), int(found[4]) * int(found[5])


def reward_function(objects):
    player = None
    total = 0.0
    for kind, x, y, area in filter(None, map(parse, objects)):
        if kind == "Player":
            player = (x, y)
        elif re.search(r"(Shark|Submarine)$", kind):
            total -= area / 1000
            if player and abs(player[0] - x) + abs(player[1] - y) < 30:
                total -= 0.2
        elif re.fullmatch("(Collected)?Diver", kind):
            total += 0.1
    return total
