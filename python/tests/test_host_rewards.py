"""The engine ``"python"`` gives the results of the reference engine, for screens and for states of other worlds."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import goalspec

YARD = """
name = "yard"
[types]
thing = {}
movable = "thing"
crate = "movable"
glass-crate = ["movable", "crate"]
robot = "thing"
sensor = {}
color = {}
[symbols]
color = ["green", "red"]
[attributes]
position = { kind = "vec3", of = "thing", required = true }
weight = { kind = "real", of = "crate", default = 1.5 }
count = { kind = "int", of = "robot" }
color = { kind = "object", of = "crate", default = "red" }
seen = { kind = "set", of = "robot" }
note = { kind = "text", of = "robot" }
in = { kind = "bool", of = "crate", default = false }
[objects]
r1 = { type = "robot", name = "rover" }
r2 = { type = "robot" }
c1 = { type = "crate" }
c2 = { type = "glass-crate" }
s1 = { type = "sensor" }
s2 = { type = ["sensor", "crate"] }
[predicates]
on = { parameters = "?a - crate ?b - thing", stored = true }
between = { parameters = "?a - crate ?b - thing ?c - thing", stored = true }
lit = { parameters = "?s - sensor", stored = true }
raining = { parameters = "", stored = true }
[functions]
charge = { parameters = "?r - robot", stored = true }
clock = { parameters = "", stored = true }
"""

STATES: list[dict[str, Any]] = [
    {
        "set": {
            "r1": {"position": [0, 0, 1], "count": 2, "seen": ["c1", "red"], "note": "go"},
            "c1": {"position": [1, 2, 3], "color": "green"},
            "c2": {"position": [4, 0, 0], "in": True},
        },
        "facts": [["on", "c1", "r1"], ["on", "c1", "c2"], ["between", "c1", "r1", "c2"], ["lit", "s1"]],
        "fluents": [["charge", "r1", 0.5], ["clock", 3]],
    },
    {"set": {"r1": {"position": [0, 1, 1]}, "r2": {"position": [9, 9, 9]}, "c1": {"weight": 4}}, "facts": [["raining"]]},
    {"set": {"c1": {"position": [1, 2, 5]}}, "not": [["on", "c1", "r1"], ["lit", "s1"]], "removed": ["c2"]},
    {"facts": [["lit", "s1"], ["on", "c1", "r2"]], "fluents": [["clock", 4]]},
]

BODIES = [
    "return len(state.objects)",
    "return state.clock",
    "return float(state.raining) + 10 * env.raining",
    "return state.c1",
    "return sum(isinstance(o, Movable) for o in objects) + 10 * sum(isinstance(o, GlassCrate) for o in objects)",
    "return len(state.crates) + 10 * len(state.sensors) + 100 * len(state.movables)",
    "return state.robot.count",
    "return state.glass_crate.x if state.glass_crate else -1",
    "return sum(o.weight for o in state.crates)",
    "return [o for o in objects if o.id == 'r1'][0].charge",
    "return [o for o in objects if o.id == 'r2'][0].charge",
    "return objects[0].dy + 10 * objects[0].prev_z + 100 * objects[0].z",
    "return sum(o.dx for o in objects)",
    "by = {o.id: o for o in objects}\n    return len(by['c1'].on) + 10 * (by['c1'] in by['c1'].on) + 100 * (by['r1'] in by['c1'].on)",
    "by = {o.id: o for o in objects}\n    return len(by['c1'].between) and by['c1'].between[0][0].x",
    "by = {o.id: o for o in objects}\n    return 'red' in by['r1'].seen and by['r1'].seen[0].weight",
    "return len([o for o in objects if o.id == 'r1'][0].note)",
    "return len([o for o in objects if o.id == 'c1'][0].color)",
    "return {'GlassCrate': 1, 'Crate': 2, 'Robot': 3, 'Sensor': 4}[objects[2].category]",
    "return len(objects[0].name) + 10 * len(objects[1].name)",
    "return float(np.linalg.norm(objects[0].position - prev_state.objects[0].position))",
    "return prev_state.objects[0] is state.objects[0]",
    "objects[0].position[1] += 7\n    objects[0].count = 100\n    return objects[0].position[1] + prev_state.objects[0].position[1]",
    "return action",
    "return None if action is None else len(action)",
    "return objects[2].in_ + 2 * hasattr(objects[0], 'weight') + 4 * hasattr(objects[0], 'w')",
    "return objects[0].is_on_top(objects[1])",
    "return state.unknown",
    "return objects[0].unknown",
    "return issubclass(GlassCrate, Crate) + 2 * issubclass(Crate, GlassCrate) + 4 * issubclass(Sensor, GameObject)",
]

PROGRAM = "import numpy as np\nfrom goalspec.world import *\n\n\ndef reward_function(objects, env, prev_state, state, action=None):\n    {}\n"


def yard(text: str, strict: bool = True) -> goalspec.Program:
    library = goalspec.Library(strict=strict).add_world(YARD, name="yard.world.toml")
    return library.add(text, name="yard.py")[0]


def results(text: str, engine: str, states: Sequence[Any] = STATES, actions: Sequence[Any] = (None, 3, "left", 0.5)) -> list[Any]:
    """Return the rewards of a program, or its exceptions."""
    function = goalspec.RewardFunction(yard(text, strict=False), engine=engine)
    found: list[Any] = []
    for state, action in zip(states, actions, strict=True):
        try:
            found.append(tuple(function(state, action)))
        except goalspec.RewardError as error:
            found.append((error.kind, error.message, None if error.kind == "no reward" else error.line))
    return found


@pytest.mark.parametrize("body", BODIES)
def test_states_are_seen_as_by_the_reference(body: str) -> None:
    text = PROGRAM.format(body)
    found, expected = results(text, "python"), results(text, "reference")
    # Descriptions of results that are no rewards contain addresses.
    short = [one[:1] if one[0] == "no reward" else one for one in found]
    assert short == [one[:1] if one[0] == "no reward" else one for one in expected]


@pytest.mark.parametrize(
    ("head", "result"),
    [
        ("def reward_function(things)", "len(things)"),
        ("def compute_reward(state)", "len(state.objects)"),
        ("def of_robots(robots)", "len(robots)"),
        ("def of_crate(glass_crate, weight=2)", "weight + (0 if glass_crate is None else glass_crate.x)"),
        ("def reward_function(robot)", "robot.count"),
        ("def reward_function(objects, /, bonus=1, *, action, extra=2)", "len(objects) + bonus + extra + len(str(action))"),
        ("def reward_function(objects, bonus=1, action='none')", "bonus + len(str(action))"),
        ("def reward_function(state, last_state, current_state)", "len(last_state.crates) + 10 * (state is current_state)"),
    ],
)
def test_arguments_are_those_of_the_reference(head: str, result: str) -> None:
    text = f"from goalspec.world import *\n\n{head}:\n    return {result}\n"
    assert results(text, "python") == results(text, "reference")


def test_classes_of_the_world_have_subclasses() -> None:
    body = "class Own(Crate):\n        pass\n    return issubclass(Own, Movable) + 2 * isinstance(objects[0], Own) + 4 * isinstance(Own(), Thing)"
    assert results(PROGRAM.format(body), "python")[0] == (5.0, {})


def test_functions_that_do_not_fit_are_refused() -> None:
    for text, reason in (
        ("x = 1\n", "it has no function"),
        ("def reward_function(state, foo):\n    return 1\n", "no argument for the parameter `foo`"),
        ("def one(state):\n    return 1\ndef two(objects):\n    return 2\n", "`one`, `two` may compute the reward"),
        ("1 / 0\n", "its top level ends with ZeroDivisionError"),
        ("from goalspec.world import Craet\n", "its top level ends with ImportError"),
    ):
        with pytest.raises(goalspec.RefusedError, match=reason):
            goalspec.RewardFunction(yard("from goalspec.world import *\n" + text, strict=False), engine="python")


def test_modules_of_the_world_are_imported_in_all_ways() -> None:
    for head in (
        "import goalspec.world as world\nCrate = world.Crate\n",
        "import goalspec.world.yard\nCrate = goalspec.world.yard.Crate\n",
        "from goalspec.world.yard import Crate\n",
        "from ocatari.ram.pong import Crate\n",
    ):
        text = head + "def reward_function(objects):\n    return sum(isinstance(o, Crate) for o in objects)\n"
        own = goalspec.Library().add_world(YARD, name="yard.world.toml")
        function = goalspec.RewardFunction(yard(text, strict=False), own, engine="python")
        # The sensor that is a crate as well has no position, and is not present.
        assert function(STATES[0]).value == 2.0
    text = "import goalspec\nfrom goalspec.world import Crate\nprogram = goalspec.load('@throw-to-bin')[0]\ndef reward_function(objects):\n    return len(program.preferences)\n"
    assert goalspec.RewardFunction(yard(text, strict=False), engine="python")(STATES[0]).value == 3.0


def test_what_the_engines_refuse_runs() -> None:
    text = "import ctypes\nfrom goalspec.world import *\ndef reward_function(state):\n    return ctypes.c_int(len(state.crates)).value\n"
    for engine in ("auto", "reference"):
        with pytest.raises((goalspec.RefusedError, goalspec.CheckError)):
            goalspec.RewardFunction(yard(text, strict=False), engine=engine)
    function = goalspec.RewardFunction(yard(text, strict=False), engine="python")
    assert function(STATES[0]).value == 2.0
    with pytest.raises(goalspec.TraceError):
        function({"set": {"c9": {"position": [0, 0, 0]}}})


COLUMNS = ["r1.position.x", "r1.position.y", "r1.position.z", "c1.position.x", "c1.position.y", "c1.position.z", "raining()"]


def test_rows_are_rewarded_as_by_the_reference() -> None:
    text = PROGRAM.format("return objects[0].x + 10 * objects[0].dx + 100 * len(state.crates) + 1000 * state.raining + 5 * (action or 0)")
    vectors = [goalspec.RewardFunction(yard(text), engine=engine).vector(3, columns=COLUMNS) for engine in ("reference", "python")]
    generator = np.random.default_rng(4)
    for step in range(12):
        rows = np.concatenate([generator.normal(size=(3, 6)), generator.integers(0, 2, (3, 1))], axis=1)
        where = generator.random(3) < 0.7
        first, second = (vector.step(rows, where=where, actions=[1, 2, 3]) for vector in vectors)
        np.testing.assert_array_equal(first.reward, second.reward)
        assert first.errors == second.errors == {}
        if step == 6:
            for vector in vectors:
                vector.reset(np.array([True, False, True]))
    for vector in vectors:
        with pytest.raises(goalspec.TraceError):
            vector.step(np.full((3, 7), 0.5))
        with pytest.raises(ValueError, match=r"expected states of the shape \(3, 7\)"):
            vector.step(np.zeros((2, 7)))
        with pytest.raises(ValueError, match="not the screen of a game"):
            vector.step_ram(np.zeros((3, 128), np.uint8))
        with pytest.raises(ValueError, match="expected 3 actions, found 1"):
            vector.step(np.zeros((3, 7)), actions=[1])


def test_the_landing_is_rewarded_as_scored(examples: Path) -> None:
    library = goalspec.load(examples / "reward/landing")
    program = next(program for program in library if program.language == "reward")
    trace = goalspec.Trace.read(examples / "reward/landing/flight.jsonl", library)
    outcome = goalspec.score(program, trace, per_step=True)[0]
    function = goalspec.RewardFunction(program, trace, engine="python")
    assert pickle.loads(pickle.dumps(function))(trace[0]) == function(trace[0])
    function.reset()
    assert [function(state).value for state in trace] == list(outcome.rewards)
    function.reset()
    assert function(trace[0]).value == outcome.rewards[0]


def test_previous_frames_of_screens_are_those_of_the_reference() -> None:
    text = """from ocatari.ram.pong import *

def reward_function(prev_state, state, ball, players):
    state.objects[0].x += 100
    return prev_state.objects[0].x + 1000 * (prev_state.objects[0] is state.objects[0]) + len(players)
"""
    library = goalspec.loads(text, name="previous.py")
    frames = [[{"category": "Ball", "x": x, "y": 4, "w": 2, "h": 4}] for x in (1, 5, 9)]
    frames.append(frames[0] * 2)
    outcomes = []
    for engine in ("reference", "python"):
        function = goalspec.RewardFunction(library, engine=engine)
        values: list[Any] = [function(frame).value for frame in frames[:3]]
        with pytest.raises(goalspec.RewardError, match="2 objects of class Ball: use the parameter for all of them") as raised:
            function(frames[3])
        outcomes.append([*values, raised.value.kind, raised.value.line])
    assert outcomes[0] == outcomes[1]


def test_traces_of_screens_have_states() -> None:
    library = goalspec.loads("def reward_function(objects):\n    return len(objects) + sum(o.x for o in objects)\n", name="plain.py")
    trace = goalspec.Trace.from_states("atari/pong", [{"set": {"ball": {"x": 3, "y": 4, "w": 2, "h": 4}}}], name="pong")
    expected = goalspec.score(goalspec.loads(library[0].text, name="plain.py", world="atari/pong"), trace, per_step=True)[0].rewards
    assert list(expected) == [4.0]
    for engine in ("auto", "reference", "python"):
        function = goalspec.RewardFunction(library, trace, engine=engine)
        again = pickle.loads(pickle.dumps(function))
        assert [function(state).value for state in trace] == [again(state).value for state in trace] == list(expected)


def test_worlds_of_screens_are_named() -> None:
    library = goalspec.loads("def reward_function(objects):\n    return objects[0].x\n", name="plain.py")
    for engine in ("auto", "reference", "python"):
        function = goalspec.RewardFunction(library, "atari/pong", engine=engine)
        assert function([{"category": "Ball", "x": 7, "y": 4, "w": 2, "h": 4}]).value == 7.0
    with pytest.raises(ValueError, match="imports no world"):
        goalspec.RewardFunction(library, engine="python")
