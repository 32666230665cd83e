from ocatari.ram.bowling import *


def row_text(pins, y):
    xs = {p.x for p in pins if p.y == y}
    return "".join("|" if x in xs else "." for x in range(121, 135, 4))


def reward_function(objects):
    pins = [o for o in objects if o.category == "Pin"]
    picture = "\n".join(row_text(pins, y) for y in range(115, 150, 5))
    lines = picture.split("\n")
    standing = picture.count("|")
    empty = [line for line in lines if set(line) == {"."}]
    middle = lines[len(lines) // 2]
    reward = 1 - standing / 10 + 0.05 * len(empty)
    if middle.startswith("|"):
        reward -= 0.1
    if middle.rstrip(".").endswith("|"):
        reward -= 0.05
    if "||" in picture or ".|" not in picture:
        reward += 0.02
    first = picture.find("|")
    last = picture.rfind("|")
    encoded = picture.translate(str.maketrans({"|": "1", ".": "0", "\n": None}))
    return reward + (last - first) / 1000 + int(encoded, 2) % 97 / 1e4 + len(picture.title().center(60, "*").strip("*")) / 1e5
