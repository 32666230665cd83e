from string import ascii_letters, digits

from ocatari.ram.freeway import *

ALPHABET = digits + ascii_letters


def to_base(number, base=36):
    """Encodes a non-negative int in a base up to 62."""
    if number == 0:
        return "0"
    out = []
    while number:
        number, rest = divmod(number, base)
        out.append(ALPHABET[rest])
    return "".join(reversed(out))


def signature(objects):
    return "".join(f"{to_base(max(0, o.x)):>2}" for o in objects if o.category == "Car").replace(" ", "_")


seen = set()


def reward_function(objects):
    code = signature(objects)
    fresh = code not in seen
    seen.add(code)
    chicken = objects[0]
    reward = 0.1 * fresh - 0.01 * chicken.dy
    reward += int(code[:2].strip("_") or "0", 36) / 10000
    head, sep, tail = code.rpartition("_")
    reward += len(tail) / 1000 if sep else 0
    reward += sum(c.isdigit() for c in code) / 1e4 - sum(map(str.isupper, code)) / 1e4
    reward += (code.encode("ascii")[0] + len(code.zfill(24)) + code.expandtabs().count("_")) / 1e5
    return reward + (hex(chicken.y)[2:] in code) / 100 + len(bin(chicken.y)) / 1e4 + int(format(chicken.y, "o")) / 1e6
