import string

from ocatari.ram.freeway import *

LINE = string.Template("$kind@$x,$y")


def encode(objects):
    """A text description of the screen, one object per line."""
    lines = [LINE.substitute(kind=o.category[:2].upper(), x=o.x, y=o.y) for o in objects if o and not o.hud]
    return "\n".join(lines)


def decode(text):
    for line in text.splitlines():
        kind, _, rest = line.partition("@")
        x, y = rest.split(",")
        yield kind.strip(string.punctuation + string.whitespace), int(x), int(y)


def reward_function(objects):
    text = encode(objects)
    chickens = [(x, y) for kind, x, y in decode(text) if kind == "CH"]
    cars = [(x, y) for kind, x, y in decode(text) if kind == "CA"]
    digits = sum(c in string.digits for c in text)
    upper = sum(map(text.count, string.ascii_uppercase))
    x, y = chickens[0]
    danger = sum(1 for cx, cy in cars if abs(cx - x) < 20 and abs(cy - y) <= 16)
    return (187 - y) / 187 - 0.1 * danger + digits / 10000 - upper / 100000
