"""Runs reward functions in CPython over recorded frames, with objects that have plain attributes.

Usage:
  python3 rewards.py times PROGRAM..   a line for each program with its path and the nanoseconds of a call, and the version last
  python3 rewards.py record PROGRAM..  writes the results of all frames beside each program, to NAME.expected.json.gz

The game of a program is part of the name of its file: `pong_tracker.py`. The recording of the game is `frames/pong.jsonl.gz` in the folder of
the program or in one above it, or else `traces/pong_random_s0.jsonl.gz`.
"""

import contextlib
import enum
import gzip
import inspect
import io
import json
import math
import os
import sys
import time
import types
from pathlib import Path

ROUNDS = 12
CHUNK = 25

# Without vector instructions, numpy computes with the functions of the C library: the same results on every processor.
SCALAR = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX2 FMA3"


class GameObject:
    """An object of a screen. Its attributes are plain; those of OCAtari are properties."""

    def __bool__(self):
        return self.visible

    def __repr__(self):
        return f"{type(self).__name__} at ({self.x}, {self.y}), {self.wh}"

    def is_on_top(self, other):
        return other.x <= self.x <= other.x + other.w and other.y <= self.y <= other.y + other.h

    def manathan_distance(self, other):
        (x, y), (ox, oy) = self.center, other.center
        return abs(x - ox) + abs(y - oy)

    def closest_object(self, others):
        if len(others) == 0:
            return None
        return min(enumerate(others), key=lambda item: self.manathan_distance(item[1]))

    def iou(self, other):
        width = min(self.x + self.w, other.x + other.w) - max(self.x, other.x)
        height = min(self.y + self.h, other.y + other.h) - max(self.y, other.y)
        common = max(0, width) * max(0, height)
        if common == 0:
            return 0.0
        return common / (self.w * self.h + other.w * other.h - common)


class ValueObject(GameObject):
    pass


class NoObject(GameObject):
    def __repr__(self):
        return "\033[34mNaO\033[39m"

    def __eq__(self, other):
        return isinstance(other, NoObject)

    __hash__ = None


class Orientation(enum.Enum):
    N = 0
    NNE = 1
    NE = 2
    ENE = 3
    E = 4
    ESE = 5
    SE = 6
    SSE = 7
    S = 8
    SSW = 9
    SW = 10
    WSW = 11
    W = 12
    WNW = 13
    NW = 14
    NNW = 15


def near(rows, same_color=False):
    """The equality of objects whose rows are almost the same."""

    def equal(self, other):
        if type(self) is not type(other) or abs(self.y - other.y) >= rows:
            return False
        return not same_color or self.rgb == other.rgb

    return {"__eq__": equal, "__hash__": None}


def same_place(self, other):
    return type(other).__name__ == "PlayerScore" and self.xy == other.xy


SAME_PLACE = {"__eq__": same_place, "__hash__": None}

# The classes of each game: names, some with a parent other than `GameObject` and with methods of their own.
VALUE = "ValueObject"
GAMES = {
    "asterix": ["Player", "Reward", "Enemy", "Consumable", "Score", "Lives"],
    "bowling": ["Player", "Ball", "Pin", ("PlayerScore", "GameObject", SAME_PLACE), "PlayerRound", "Player2Round"],
    "boxing": ["Player", "Enemy", ("PlayerScore", VALUE, SAME_PLACE), ("EnemyScore", VALUE), "Clock"],
    "breakout": ["Player", "Ball", "Block", ("PlayerScore", "GameObject", SAME_PLACE), "Live", "PlayerNumber"],
    "freeway": ["Chicken", "Car", ("Score", VALUE)],
    "pong": ["Player", "Ball", "Enemy", ("PlayerScore", VALUE), ("EnemyScore", VALUE)],
    "seaquest": [
        *["Player", "Shark", "Submarine", "Diver", "EnemyMissile", ("SurfaceSubmarine", "Submarine"), "PlayerMissile"],
        *[("OxygenBar", VALUE), "CollectedDiver", ("PlayerScore", VALUE, SAME_PLACE), ("Lives", VALUE)],
        ("OxygenBarDepleted", VALUE),
    ],
    "skiing": [
        *["Player", ("Tree", "GameObject", near(7, True)), ("Mogul", "GameObject", near(5))],
        *[("Flag", "GameObject", near(5)), ("Score", VALUE), ("Clock", VALUE)],
    ],
    "spaceinvaders": ["Player", "Shield", "Bullet", "Satellite", "Alien", "P1Score", "P2Score", "Lives"],
    "tennis": [
        *["Player", "Enemy", "Ball", "BallShadow", ("PlayerScore", "GameObject", SAME_PLACE)],
        ("EnemyScore", "GameObject", SAME_PLACE),
    ],
}


def classes_of(game):
    classes = {"GameObject": GameObject, "ValueObject": ValueObject, "NoObject": NoObject}
    for row in GAMES[game]:
        name, parent, methods = (row, "GameObject", {}) if isinstance(row, str) else (*row, {})[:3]
        classes[name] = type(name, (classes[parent],), dict(methods))
    return classes


def make(classes, row):
    name, *rest = row
    made = classes[name]()
    empty = [0, 0, 0, 0, 0, 0, False, False, (0, 0, 0), None]
    x, y, w, h, px, py, hud, visible, rgb, orientation, *more = rest + empty[len(rest) :]
    px, py = (x, y) if px is None else (px, py)
    made.category = name
    made.x, made.y, made.w, made.h, made.prev_x, made.prev_y = x, y, w, h, px, py
    made.xy, made.wh, made.xywh, made.prev_xy = (x, y), (w, h), (x, y, w, h), (px, py)
    made.h_coords = [made.xy, made.prev_xy]
    made.dx, made.dy, made.center, made.hud = x - px, y - py, (x + w / 2, y + h / 2), bool(hud)
    made.visible, made.rgb = bool(visible), tuple(rgb)
    made.orientation = Orientation[orientation] if isinstance(orientation, str) else orientation
    if name in ("Player", "Enemy") and len(more) > 1:
        made.right_arm_length, made.left_arm_length = more[:2]
    elif isinstance(made, ValueObject) and more:
        made.value, made.prev_value = more[0], more[0] if more[1] is None else more[1]
        made.value_diff = made.value - made.prev_value
    elif more:
        made.value = more[0]
    return made


def snake(name):
    before = " " + name
    return "".join("_" + c.lower() if c.isupper() and before[i].islower() else c.lower() for i, c in enumerate(name))


def plural(name):
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return name[:-1] + "ies"
    return name + ("es" if name.endswith(("s", "x", "ch", "sh")) else "s")


def state_of(objects, classes):
    """The objects of each class by its name: the only one as `ball`, all as `balls`."""
    state = types.SimpleNamespace(objects=objects)
    for name, kind in classes.items():
        found = [o for o in objects if isinstance(o, kind)]
        setattr(state, plural(snake(name)), found)
        if len(found) < 2:
            setattr(state, snake(name), found[0] if found else None)
    return state


class Frame:
    """The arguments that a reward function may ask for, by the name of the parameter."""

    def __init__(self, row, classes, previous):
        self.episode, objects = row["ep"], [make(classes, made) for made in row["objs"]]
        self.state = state_of(objects, classes)
        before = previous.state if previous and previous.episode == self.episode else None
        arguments = vars(self.state) | dict.fromkeys(["game_objects"], objects)
        arguments |= dict.fromkeys(["state", "next_state", "current_state"], self.state)
        arguments |= dict.fromkeys(["prev_state", "previous_state", "last_state"], before)
        self.arguments = arguments | {"env": types.SimpleNamespace(objects=objects), "action": row["a"], "objects": objects}


def frames(path, classes):
    with gzip.open(path, "rt") as file:
        next(file)
        made, previous = [], None
        for line in file:
            previous = Frame(json.loads(line), classes, previous)
            made.append(previous)
        return made


class Program:
    """A program with the recording of its game."""

    def __init__(self, path):
        self.path = Path(path).resolve()
        self.game = next((game for game in GAMES if game in self.path.stem), None)
        if self.game is None:
            raise SystemExit(f"{path}: no game in the name")
        candidates = [folder / f"frames/{self.game}.jsonl.gz" for folder in self.path.parents]
        candidates += [folder / f"traces/{self.game}_random_s0.jsonl.gz" for folder in self.path.parents]
        self.recording = next((file for file in candidates if file.is_file()), None)
        if self.recording is None:
            raise SystemExit(f"{path}: no recording of {self.game}")
        self.code = compile(self.path.read_text(), str(self.path), "exec")

    def start(self, classes):
        """Runs the top level anew and returns a function from a frame to its reward."""
        for name in ["ocatari", "ocatari.ram", f"ocatari.ram.{self.game}"]:
            sys.modules[name] = types.ModuleType(name)
        names = sys.modules[f"ocatari.ram.{self.game}"]
        names.__dict__.update(classes, Orientation=Orientation)
        sys.modules["ocatari.ram.game_objects"] = names
        module = sys.modules[self.path.stem] = types.ModuleType(self.path.stem)
        exec(self.code, module.__dict__)
        return self.entry(module)

    def entry(self, module):
        own = [value for value in vars(module).values() if isinstance(value, types.FunctionType)]
        named = [getattr(module, name) for name in ("reward_function", "compute_reward") if hasattr(module, name)]
        function = named[0] if named else own[-1]
        names = [name for name, given in inspect.signature(function).parameters.items() if given.default is given.empty]
        names = [name for name in names if name not in ("args", "kwargs")]
        if len(names) <= 1:
            names = [name if name in EXTRA else "objects" for name in names or ["objects"]]
        if names == ["objects"]:
            return lambda frame: function(frame.arguments["objects"]), function
        return lambda frame: function(*[frame.arguments[name] for name in names]), None


EXTRA = {"env", "state", "next_state", "current_state", "prev_state", "previous_state", "last_state", "action"}


def plain(value):
    """The reward as JSON: a number, or what is in its place."""
    if isinstance(value, tuple) and len(value) == 2:
        value = value[0]
    if type(value).__module__ == "numpy" and not getattr(value, "shape", None):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"}
    return value if isinstance(value, (bool, int, float)) else {"other": repr(value)}


def results(program):
    classes = classes_of(program.game)
    made, episode, call = [], None, None
    for frame in frames(program.recording, classes):
        if frame.episode != episode:
            episode, (call, _) = frame.episode, program.start(classes)
        try:
            made.append(plain(call(frame)))
        except Exception as error:
            made.append({"err": f"{type(error).__name__}: {error}"})
    return made


def record(program):
    made = results(program)
    text = json.dumps(made, separators=(",", ":"))
    target = program.path.with_suffix(".expected.json.gz")
    target.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    errors = sum(isinstance(result, dict) for result in made)
    return f"{program.path.name}: {len(made)} frames, {len({str(result) for result in made})} different results, {errors} without a reward"


def timed(program):
    """The nanoseconds of a call. The shortest time of each few frames counts, so that other work of the computer does not."""
    classes = classes_of(program.game)
    all_frames = frames(program.recording, classes)
    best = {}
    for _ in range(ROUNDS):
        for start, chunk in chunks(all_frames):
            if start == 0 or all_frames[start - 1].episode != chunk[0].episode:
                call, function = program.start(classes)
                # The engines of goalspec may run the top level in the first call of an episode, which is not timed in either.
                with contextlib.suppress(Exception):
                    call(chunk[0])
            arguments = [frame.arguments["objects"] for frame in chunk] if function else chunk
            best[start] = min(once(function or call, arguments), best.get(start, math.inf))
    return sum(best.values()) / len(all_frames)


def chunks(all_frames):
    """Yields parts of the frames with the places of their first ones; none extends over the end of an episode."""
    start = 0
    for end in range(1, len(all_frames) + 1):
        if end == len(all_frames) or end - start == CHUNK or all_frames[end].episode != all_frames[start].episode:
            yield start, all_frames[start:end]
            start = end


def once(function, scenes):
    start = time.thread_time_ns()
    for scene in scenes:
        try:
            function(scene)
        except Exception:
            pass
    return time.thread_time_ns() - start


def main():
    mode, *paths = sys.argv[1:]
    if mode == "record":
        os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", SCALAR)
    out = sys.stdout
    for path in paths:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            program = Program(path)
            line = record(program) if mode == "record" else f"{path} {timed(program):.1f}"
        print(line, file=out, flush=True)
    print("CPython", sys.version.split()[0], file=out)


main()
