import re
from collections import Counter

from ocatari.ram.seaquest import *

ENTRY = re.compile(
    r"""
    (?P<kind>\w+)\s+at\s+      # the class
    \((?P<x>-?\d+),\s*(?P<y>-?\d+)\)
    """,
    re.VERBOSE,
)


def reward_function(objects):
    text = " / ".join(str(o) for o in objects if o)
    kinds = Counter()
    xs = {}
    for found in ENTRY.finditer(text):
        kind = found["kind"]
        kinds[kind] += 1
        xs.setdefault(kind, []).append(int(found["x"]))
        assert found.start() < found.end() == found.span()[1]
    reward = 0.1 * kinds["CollectedDiver"] + 0.02 * kinds["Diver"]
    reward -= 0.05 * sum(n for k, n in kinds.items() if re.search("shark|sub", k, re.IGNORECASE))
    player = xs.get("Player", [80])[0]
    reward -= sum(1 / (5 + abs(x - player)) for x in xs.get("Shark", []))
    first, *_ = re.split(r"\s*/\s*", text, maxsplit=1)
    return reward + len(first) / 1000 + bool(re.match(r"\APlayer\b", first)) * 0.01
