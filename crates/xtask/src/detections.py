"""Records what OCAtari detects in the RAM of its games, for the tests of `goalspec-atari`, and times its detection.

Usage: detections.py FOLDER [GAME ..]

Writes FOLDER/GAME_SOURCE_HUD.jsonl.gz for every game, source of RAM and setting of the hud switch. Sources:

* `random`, `held`: steps of the game itself under two policies, several episodes;
* `altered`: RAM of those steps with bytes changed and kept so for some frames, to meet what play seldom reaches;
* `noise`: RAM of random bytes, some of which change with each frame.

The first line describes the file. Every other is a frame: [is it a reset, RAM in hexadecimal, objects], where the objects are the name
of an exception if OCAtari raised one. The episode ends there. An object is null if it is a NoObject of which nothing is known, else
[category, truth value, x, y, w, h, previous x and y, hud, visible, red, green, blue, orientation, the other attributes].
FOLDER/GAME.json has what OCAtari's classes say: parents, colours, attributes, what can be a member of a set; slots and actions.
Prints the mean time of a detection, the best of several runs.
"""

import gzip
import json
import random
import sys
import time
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np

warnings.filterwarnings("ignore")

from ocatari.core import OCAtari  # noqa: E402
from ocatari.ram import extract_ram_info as detection  # noqa: E402
from ocatari.ram.game_objects import NoObject  # noqa: E402

GAMES = [
    "Asterix", "Bowling", "Boxing", "Breakout", "Freeway", "Pong", "Seaquest", "Skiing", "SpaceInvaders", "Tennis",
]  # fmt: skip
STEPS = 2000
EPISODE = 700
OTHERS = ["value", "prev_value", "right_arm_length", "left_arm_length", "_subtype"]
# Values that thresholds are often next to, and kinds of objects.
EDGES = [0, 1, 2, 3, 5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 32, 33, 34, 63, 64, 65, 85, 127, 128, 159, 160, 161, 249, 250, 254, 255]


def plain(value):
    return value if value is None else int(value)


def row(item):
    orientation = getattr(item.orientation, "name", None) or plain(item.orientation)
    others = {name.strip("_"): plain(getattr(item, name)) for name in OTHERS if hasattr(item, name)}
    place = [plain(number) for number in (*item.xywh, *item.prev_xy)]
    if item.category == "NoObject" and not any(place) and orientation is None:
        return None
    color = [int(part) for part in item.rgb]
    return [item.category, int(bool(item)), *place, int(item.hud), int(item.visible), *color, orientation, others]


def held(environment, choice):
    """Keeps to an action for a while and presses the button now and then."""
    meanings = environment._env.unwrapped.get_action_meanings()
    fire = meanings.index("FIRE") if "FIRE" in meanings else 0
    while True:
        action = choice.randrange(len(meanings))
        for step in range(choice.randint(4, 30)):
            yield fire if step % 6 == 0 else action


def any_action(environment, choice):
    while True:
        yield choice.randrange(environment.action_space.n)


POLICIES = {"random": any_action, "held": held}


def play(game, policy, hud):
    """Frames of the game, as OCAtari gives them."""
    environment = OCAtari(f"ALE/{game}-v5", mode="ram", hud=hud, obs_mode="ori", create_buffer_stacks=[])
    actions = POLICIES[policy](environment, random.Random(f"{game} {policy}"))
    begin = None
    for step in range(STEPS):
        over = begin is None or step - begin == EPISODE
        if not over:
            # Which of the two says what differs between releases; either ends the episode.
            _, _, one, other, _ = environment.step(next(actions))
        else:
            environment.reset(seed=step)
            begin, one, other = step, False, False
        yield int(over), bytes(environment._env.unwrapped.ale.getRAM()), list(map(row, environment.objects))
        if one or other:
            begin = None
    environment.close()


def altered(frames, choice):
    """The RAM of those frames, with bytes that are something else for some frames."""
    kept = {}
    for reset, memory in frames:
        memory = bytearray(memory)
        if choice.random() < 0.3:
            for _ in range(choice.randint(1, 5)):
                value = choice.choice(EDGES) if choice.random() < 0.6 else choice.randrange(256)
                kept[choice.randrange(128)] = value, choice.randint(1, 12)
        for place, (value, _) in kept.items():
            memory[place] = value
        kept = {place: (value, left - 1) for place, (value, left) in kept.items() if left > 1}
        yield reset, bytes(memory)


def noise(choice):
    memory = bytearray(128)
    for step in range(STEPS):
        reset = step % 50 == 0
        if reset:
            bound = choice.choice([4, 64, 64, 128, 256])
            edges = [edge for edge in EDGES if edge < bound]
        changed = 1 if reset else choice.choice([0.01, 0.1, 1])
        for place in range(128):
            if choice.random() < changed:
                memory[place] = choice.choice(edges) if choice.random() < 0.5 else choice.randrange(bound)
        yield int(reset), bytes(memory)


def detected(game, hud, frames):
    """What OCAtari detects in frames that no game showed."""
    objects = None
    for reset, memory in frames:
        reset = int(reset or objects is None)
        if reset:
            objects = detection.init_objects(game, hud)
        try:
            detection.detect_objects_ram(objects, np.frombuffer(memory, np.uint8).copy(), game, hud)
            found = list(map(row, objects))
        except Exception as error:
            objects, found = None, type(error).__name__
        yield reset, memory, found


def write(folder, game, source, hud, frames):
    file = folder / f"{game.lower()}_{source}_{'hud' if hud else 'plain'}.jsonl.gz"
    head = {"game": game, "source": source, "hud": hud, "ocatari": version("ocatari"), "ale-py": version("ale-py")}
    memory = []
    with gzip.open(file, "wt", compresslevel=3) as lines:
        print(json.dumps(head), file=lines)
        for reset, ram, objects in frames:
            memory.append((reset, ram))
            print(json.dumps([reset, ram.hex(), objects], separators=(",", ":")), file=lines)
    return memory


def facts(game):
    environment = OCAtari(f"ALE/{game}-v5", mode="ram", hud=True, obs_mode="ori", create_buffer_stacks=[])
    classes = {"NoObject": NoObject, **detection.get_class_dict(game)}
    described = {}
    for name, each in classes.items():
        item = each()
        described[name] = {
            "parent": each.__mro__[1].__name__,
            "rgb": [int(part) for part in item.rgb],
            "hud": item.hud,
            "hashable": each.__hash__ is not None,
            "properties": item.properties,
        }
    slots = {str(hud).lower(): list(detection.get_max_objects(game, hud).items()) for hud in (False, True)}
    return {"actions": environment._env.unwrapped.get_action_meanings(), "slots": slots, "classes": described}


def microseconds(game, hud, memory):
    memory = [np.frombuffer(ram, np.uint8).copy() for _, ram in memory]
    runs = []
    for _ in range(3):
        objects = detection.init_objects(game, hud)
        begin = time.process_time()
        for ram in memory:
            detection.detect_objects_ram(objects, ram, game, hud)
        runs.append((time.process_time() - begin) / len(memory) * 1e6)
    return min(runs)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    print("game            hud    objects  microseconds per detection")
    for game in sys.argv[2:] or GAMES:
        (folder / f"{game.lower()}.json").write_text(json.dumps(facts(game)))
        for hud in (False, True):
            memory = {policy: write(folder, game, policy, hud, play(game, policy, hud)) for policy in POLICIES}
            choice = random.Random(f"{game} {hud}")
            frames = [frame for policy in POLICIES for frame in memory[policy]]
            write(folder, game, "altered", hud, detected(game, hud, altered(frames, choice)))
            write(folder, game, "noise", hud, detected(game, hud, noise(choice)))
            slots = len(detection.init_objects(game, hud))
            print(f"{game:15} {hud!s:5} {slots:8} {microseconds(game, hud, memory['held']):12.1f}", flush=True)


main()
