"""Reward functions in one environment and in many."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

import goalspec

FOLLOW = """from ocatari.ram.pong import Player, Ball

def reward_function(objects):
    player = next(o for o in objects if isinstance(o, Player))
    ball = next(o for o in objects if isinstance(o, Ball))
    return -abs(player.y - ball.y) / 210
"""

SPEED = """from ocatari.ram.pong import Ball

def reward_function(objects):
    return sum(o.dx for o in objects if isinstance(o, Ball))
"""


def reward(text: str) -> goalspec.RewardFunction:
    return goalspec.RewardFunction(goalspec.loads(text, name="reward.py"))


def box(category: str, y: int, **further: object) -> dict[str, object]:
    return {"category": category, "x": 140, "y": y, "w": 4, "h": 16, **further}


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_screens_are_rewarded(engine: str) -> None:
    function = goalspec.RewardFunction(goalspec.loads(FOLLOW, name="follow.py"), engine=engine)
    assert function([box("Player", 100), box("Ball", 58)]).value == -42 / 210
    as_objects = [SimpleNamespace(**box("Player", 100)), SimpleNamespace(**box("Ball", 310, rgb=(1, 2, 3), hud=False))]
    assert function(as_objects) == goalspec.Reward(-1.0, {})
    with pytest.raises(goalspec.RewardError, match="StopIteration") as raised:
        function([box("Player", 100)])
    assert raised.value.kind == "StopIteration" and raised.value.line == 5 and raised.value.__cause__ is None
    with pytest.raises(KeyError, match="did you mean `Player`"):
        function([box("Playr", 100)])
    with pytest.raises(ValueError, match="no `h`"):
        function([{"category": "Ball", "x": 1, "y": 1, "w": 1}])


def test_previous_corners_are_taken() -> None:
    assert reward(SPEED)([box("Ball", 10, prev_xy=(137, 10))]).value == 3.0


def test_boxes_of_many_environments_are_rewarded() -> None:
    vector = reward(FOLLOW).vector(300, objects=["Player", "Ball"])
    boxes = np.zeros((300, 2, 4), np.int32)
    boxes[:, 0, 1], boxes[:, 1, 1] = 100, np.arange(300)
    result = vector.step(boxes)
    np.testing.assert_array_equal(result.reward, -np.abs(100 - np.arange(300)) / 210)
    present = np.ones((300, 2), np.bool_)
    present[[3, 7], 1] = False
    result = vector.step(boxes, present=present)
    assert set(result.errors) == {3, 7} and np.isnan(result.reward[[3, 7]]).all() and not np.isnan(result.reward[4])
    assert result.errors[3].kind == "StopIteration"
    with pytest.raises(goalspec.RewardError):
        vector.step(boxes, present=present, on_error="raise")
    with pytest.raises(ValueError, match=r"expected boxes of the shape \(300, 2, 4\)"):
        vector.step(boxes[:, :1])
    with pytest.raises(KeyError, match="did you mean `Ball`"):
        reward(FOLLOW).vector(2, objects=["Bal"])


def test_motion_is_that_of_the_slot_and_ends_with_the_episode() -> None:
    vector = reward(SPEED).vector(2, objects=["Ball"])
    boxes = np.zeros((2, 1, 4), np.int32)
    vector.step(boxes)
    boxes[:, 0, 0] = [5, 7]
    assert list(vector.step(boxes).reward) == [5.0, 7.0]
    vector.reset(np.array([True, False]))
    boxes[:, 0, 0] = [9, 9]
    assert list(vector.step(boxes).reward) == [0.0, 2.0]


def test_selected_environments_are_called_with_their_actions() -> None:
    function = "from ocatari.ram.pong import *\n\ncalls = 0\n\ndef reward_function(objects, action):\n    global calls\n    calls += 1\n    return calls + 10 * action\n"
    vector = reward(function).vector(3, objects=["Ball"])
    boxes = np.zeros((3, 1, 4), np.int32)
    assert list(vector.step(boxes, where=np.array([True, False, True]), actions=[1, 2, 3]).reward) == [11.0, 0.0, 31.0]
    assert list(vector.step(boxes, actions=[1, 2, 3]).reward) == [12.0, 21.0, 32.0]
    with pytest.raises(ValueError, match="expected 3 actions, found 1"):
        vector.step(boxes, actions=[1])
    with pytest.raises(ValueError, match="expected 3 truth values for where, found 1"):
        vector.step(boxes, where=np.array([True]))


def test_memory_of_consoles_is_decoded() -> None:
    vector = reward(FOLLOW).vector(2)
    ram = np.zeros((2, 128), np.uint8)
    ram[:, 49], ram[:, 54], ram[:, 51] = 130, [90, 120], 100
    first, second = vector.step_ram(ram), vector.step_ram(ram)
    assert first.errors == {} or all(error.kind == "StopIteration" for error in first.errors.values())
    assert second.errors == {} and second.reward[0] != second.reward[1]
    with pytest.raises(ValueError, match=r"expected memory of the shape \(2, 128\)"):
        vector.step_ram(ram[:, :100])


def test_states_are_rewarded_as_they_are_scored(examples: Path) -> None:
    library = goalspec.load(examples / "reward/landing")
    program = next(program for program in library if program.language == "reward")
    trace = goalspec.Trace.read(examples / "reward/landing/flight.jsonl", library)
    outcome = goalspec.score(program, trace, per_step=True)[0]
    function = goalspec.RewardFunction(program, trace)
    rewards = [function(state).value for state in trace]
    np.testing.assert_array_equal(rewards, outcome.rewards[: len(rewards)])
    function.reset()
    assert function(trace[0]).value == rewards[0]


def test_programs_that_are_no_reward_functions_are_refused() -> None:
    with pytest.raises(ValueError, match="not a reward function"):
        goalspec.RewardFunction(goalspec.load("@throw-to-bin"))


EXTRAS = {"boxing": ("right_arm_length", "left_arm_length")}
CORPUS = sorted((ROOT / "suite/rewards/open").glob("*.py"))

# The frames of each program that are compared.
FRAMES = 40


def things(game: str, rows: list[list[Any]]) -> list[dict[str, Any]]:
    """Return the objects of a recorded frame."""
    names = ["category", "x", "y", "w", "h", "px", "py", "hud", "visible", "rgb", "orientation"]
    result = []
    for row in rows:
        thing = dict(zip(names, row, strict=False))
        if len(row) == 1:
            thing |= {"x": 0, "y": 0, "w": 0, "h": 0}
        px, py = thing.pop("px", None), thing.pop("py", None)
        thing |= {name: bool(thing[name]) for name in ("hud", "visible") if name in thing}
        thing["prev_xy"] = None if px is None else (px, py)
        arms = game in EXTRAS and row[0] in ("Player", "Enemy")
        thing |= zip(EXTRAS[game] if arms else ("value", "prev_value"), row[len(names) :], strict=False)
        result.append(thing)
    return result


def result_of(call: Callable[[], goalspec.Reward]) -> object:
    """Return a reward in the form of the recorded results."""
    try:
        value = call().value
    except goalspec.RewardError as error:
        return {"other": None} if error.kind == "no reward" else {"err": f"{error.kind}: {error.message}"}
    return value if math.isfinite(value) else {"float": "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"}


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_the_engine_python_gives_the_recorded_results_of_cpython(path: Path) -> None:
    game = next(name for name in (file.name.split(".")[0] for file in (ROOT / "suite/rewards/frames").glob("*.gz")) if path.stem.startswith(name))
    expected = json.loads(gzip.decompress(path.with_suffix(".expected.json.gz").read_bytes()))
    library = goalspec.loads(path.read_text(), name=path.name, strict=False)
    function = goalspec.RewardFunction(library, f"atari/{game}", engine="python")
    episode = None
    with gzip.open(ROOT / f"suite/rewards/frames/{game}.jsonl.gz", "rt") as file:
        next(file)
        for line, wanted in zip(islice(file, FRAMES), expected, strict=False):
            frame = json.loads(line)
            if episode not in (None, frame["ep"]):
                function.reset()
            episode = frame["ep"]
            found = result_of(lambda: function(things(game, frame["objs"]), frame["a"]))
            if isinstance(wanted, dict) and "other" in wanted:
                wanted = {"other": None}
            # Sums of numpy depend on the instructions of the processor, which the recorded ones do not use.
            assert found == (pytest.approx(wanted, rel=1e-12) if isinstance(wanted, float) else wanted)


def test_the_engine_python_runs_what_the_others_refuse() -> None:
    text = "import ctypes\nTWO = eval('ctypes.c_int(2).value')\n" + FOLLOW
    library = goalspec.loads(text, name="follow.py", strict=False)
    for engine in ("auto", "fast", "reference"):
        with pytest.raises((goalspec.RefusedError, goalspec.CheckError)):
            goalspec.RewardFunction(library, engine=engine)
    function = goalspec.RewardFunction(library, engine="python")
    assert function([box("Player", 100), box("Ball", 58)]).value == -42 / 210
    with pytest.raises(goalspec.RewardError, match="StopIteration") as raised:
        function([box("Player", 100)])
    assert raised.value.line == 7


def test_the_engine_python_takes_boxes_and_memory_as_the_engines() -> None:
    library = goalspec.loads(FOLLOW + "\nBONUS = 0\n", name="follow.py")
    vectors = [goalspec.RewardFunction(library, engine=engine).vector(2, objects=["Player", "Ball"]) for engine in ("auto", "python")]
    generator = np.random.default_rng(5)
    for step in range(20):
        boxes, ram = generator.integers(0, 150, (2, 2, 4), np.int32), generator.integers(0, 256, (2, 128), np.uint8)
        present = generator.random((2, 2)) < 0.8
        for call in (lambda vector: vector.step(boxes, present=present), lambda vector: vector.step_ram(ram)):
            first, second = (call(vector) for vector in vectors)
            np.testing.assert_array_equal(first.reward, second.reward)
            assert {place: str(error) for place, error in first.errors.items()} == {place: str(error) for place, error in second.errors.items()}
        if step == 10:
            for vector in vectors:
                vector.reset(np.array([True, False]))


def test_components_and_wrong_results_are_those_of_the_engines() -> None:
    program = "from ocatari.ram.pong import Ball\n\ndef reward_function(objects):\n    return {}\n"
    for result in ("(2, {'a': True, 'b': 0.5})", "None", "'x'", "(1, {'a': 'b'})", "(1, 2)", "True", "1 / 0", "[][1]"):
        library = goalspec.loads(program.format(result), name="result.py", strict=False)
        outcomes = []
        for engine in ("reference", "python"):
            try:
                outcomes.append(goalspec.RewardFunction(library, engine=engine)([]))
            except goalspec.RewardError as error:
                # The line of the `return` that gave no reward is known to the engines alone.
                outcomes.append((error.kind, error.message, None if error.kind == "no reward" else error.line))
        assert outcomes[0] == outcomes[1]


def test_engines_are_named(examples: Path) -> None:
    library = goalspec.load(examples / "reward/rally.py")
    with pytest.raises(ValueError, match="unknown engine `slow`: expected `auto`, `fast`, `reference` or `python`"):
        goalspec.RewardFunction(library, engine="slow")
    looking = FOLLOW.replace("def reward_function(objects)", "def reward_function(objects, action)")
    with pytest.raises(goalspec.RefusedError, match="the fast engine does not run"):
        goalspec.RewardFunction(goalspec.loads(looking, name="looking.py"), engine="fast")
    with pytest.raises(ValueError, match="not a reward function"):
        goalspec.RewardFunction(goalspec.load("@throw-to-bin"), engine="python")


def test_frames_in_memory_are_audited_as_recordings(tmp_path: Path, examples: Path) -> None:
    library = goalspec.load(examples / "reward/rally.py")
    with gzip.open(ROOT / "suite/rewards/frames/pong.jsonl.gz", "rt") as file:
        lines = [json.loads(line) for line in file][1:]
    columns = [[line[name] for line in lines] for name in ("r", "a", "term", "trunc", "ep")]
    frames = goalspec.Frames([things("pong", line["objs"]) for line in lines], *columns)
    # The same recording without the names of its policy and its actions.
    path = tmp_path / "pong.jsonl"
    header = {"format": "goalspec-screens-1", "game": "pong", "hud": True}
    path.write_text("\n".join(map(json.dumps, [header, *lines])))
    own, other = (json.dumps(goalspec.audit(library, one)[0].to_dict()) for one in (frames, path))
    assert own == other.replace(str(path), "<frames>")
    ram = np.zeros((4, 128), np.uint8)
    numbers = [0, 0, 0, 0]
    assert len(goalspec.audit(library, goalspec.Frames(ram, numbers, numbers, [False] * 4, [False] * 4, numbers))) == 1
    with pytest.raises(ValueError, match="expected 4 values for reward, one for each frame, found 1"):
        goalspec.audit(library, goalspec.Frames(ram, [0], numbers, [False] * 4, [False] * 4, numbers))
    with pytest.raises(ValueError, match="shape"):
        goalspec.audit(library, goalspec.Frames(ram[:, :5], numbers, numbers, [False] * 4, [False] * 4, numbers))
