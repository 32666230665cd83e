"""Reward functions in one environment and in many."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

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
