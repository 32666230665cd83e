from ocatari.ram.freeway import *

COMMANDS = """
    hit:   -1.0
    up:     0.10
    down:  -0.10
    still: -0.02
    # comment
    top:    1.0
"""


def parse(text):
    table = {}
    for line in text.strip().splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, value = line.split(":", maxsplit=1)
        table[name.strip().upper()] = float(value)
    return table


TABLE = parse(COMMANDS)


def event_names(chicken, cars):
    names = []
    if chicken.y < 20:
        names.append("top")
    names.append("up" if chicken.dy < 0 else "down" if chicken.dy > 0 else "still")
    if any(chicken.iou(car) > 0 for car in cars):
        names.insert(0, "hit")
    return ",".join(names)


def reward_function(objects):
    text = event_names(objects[0], [o for o in objects if o.category.lower() == "car"])
    total = sum(TABLE[name.upper()] for name in text.split(","))
    if text.isalpha() and text.islower():
        total += 0.001 * len(text)
    joined = "-".join(sorted(text.replace(",", " ").title().split(), key=str.casefold, reverse=True))
    return total + joined.count("-") * 0.01 + joined.index("p" if "p" in joined else joined[0]) * 1e-4 + ord(joined[0]) * 1e-6
