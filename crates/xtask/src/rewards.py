"""Times published reward functions in CPython, over recorded frames, with objects that have plain attributes.

Usage: python3 rewards.py RECORDINGS: a line with a name and nanoseconds for each program, and the version last.
"""

import gzip
import json
import sys
import time
import types
from pathlib import Path

ROUNDS = 12
CHUNK = 25

PROGRAMS = {
    "l09_freeway_full": "freeway",
    "l10_freeway_direct": "freeway",
    "l12_pong_full": "pong",
    "l13_pong_direct": "pong",
    "l15_seaquest_full": "seaquest",
    "l16_seaquest_direct": "seaquest",
    "l18_skiing_full": "skiing",
    "l19_skiing_direct": "skiing",
}


class GameObject:
    def is_on_top(self, other):
        return other.x <= self.x <= other.x + other.w and other.y <= self.y <= other.y + other.h

    def manathan_distance(self, other):
        (x, y), (ox, oy) = self.center, other.center
        return abs(x - ox) + abs(y - oy)


class NoObject(GameObject):
    def __bool__(self):
        return False


def make(classes, row):
    name, *rest = row
    if name not in classes:
        parent = classes["Submarine"] if name == "SurfaceSubmarine" and "Submarine" in classes else GameObject
        classes[name] = type(name, (parent,), {})
    made = classes[name]()
    x, y, w, h, px, py, hud, visible, *more = rest or [0, 0, 0, 0, 0, 0, 0, 0]
    px, py = (x, y) if px is None else (px, py)
    made.category = name
    made.x, made.y, made.w, made.h, made.xy, made.prev_x, made.prev_y = x, y, w, h, (x, y), px, py
    made.dx, made.dy, made.center, made.hud = x - px, y - py, (x + w / 2, y + h / 2), bool(hud)
    if len(more) > 2:
        made.value = more[2]
    return made


def frames(folder, game, classes):
    with gzip.open(folder / f"traces/{game}_random_s0.jsonl.gz", "rt") as file:
        next(file)
        return [[make(classes, row) for row in json.loads(line)["objs"]] for line in file]


def timed(function, scenes):
    """The shortest time of each few frames counts, so that other work of the computer does not."""
    total = 0
    for start in range(0, len(scenes), CHUNK):
        chunk = scenes[start : start + CHUNK]
        total += min(once(function, chunk) for _ in range(ROUNDS))
    return total / len(scenes)


def once(function, scenes):
    start = time.perf_counter_ns()
    for scene in scenes:
        try:
            function(scene)
        except (TypeError, ValueError, StopIteration):
            pass
    return time.perf_counter_ns() - start


def main():
    folder = Path(sys.argv[1])
    for name, game in PROGRAMS.items():
        # Classes that no frame has are asked for, too.
        classes = {"NoObject": NoObject}
        for known in ["Player", "Enemy", "Ball", "Chicken", "Car", "Shark", "Submarine", "Diver", "EnemyMissile"]:
            classes[known] = type(known, (GameObject,), {})
        for known in ["PlayerMissile", "OxygenBar", "CollectedDiver", "Flag", "Mogul", "Tree"]:
            classes[known] = type(known, (GameObject,), {})
        scenes = frames(folder, game, classes)
        for module in ["ocatari", "ocatari.ram", f"ocatari.ram.{game}"]:
            sys.modules[module] = types.ModuleType(module)
        sys.modules[f"ocatari.ram.{game}"].__dict__.update(classes)
        names = {}
        exec(compile((folder / f"programs/{name}.py").read_text(), name, "exec"), names)
        print(name, round(timed(names["reward_function"], scenes), 1))
    print("CPython", sys.version.split()[0])


main()
