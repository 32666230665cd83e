"""Pickled objects are equal in other processes."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from conftest import FILL, ROOT, TANK_WORLD

import goalspec

LEVELS = [0.0, 1.5, 0.5, 2.0]


def tank(text: str = FILL) -> goalspec.Library:
    return goalspec.loads(text, name="fill.game", files={"tank.world.toml": TANK_WORLD})


def rewards(monitor: goalspec.Monitor, levels: list[float]) -> list[tuple[float, bool, list[float]]]:
    """Step a monitor of either input, and return rewards and features."""
    result = []
    for level in levels:
        state = [level] if monitor._columns else {"set": {"tank": {"level": level}}}
        verdict = monitor.step(state, time=float(monitor.steps), action="fill")
        result.append((verdict.reward, verdict.done, monitor.state().tolist()))
    return result


@pytest.mark.parametrize("columns", [None, ["tank.level"]])
@pytest.mark.parametrize("steps", range(len(LEVELS)))
def test_a_monitor_continues_equally(columns: list[str] | None, steps: int) -> None:
    monitor = goalspec.Monitor(tank(), columns=columns, horizon=20, explain=True)
    rewards(monitor, LEVELS[:steps])
    others = [pickle.loads(pickle.dumps(monitor)), copy.copy(monitor), copy.deepcopy(monitor), monitor.copy()]
    expected, outcome = rewards(monitor, LEVELS[steps:]), monitor.finish().to_dict()
    assert any(reward > 0 for reward, *_ in expected)
    for other in others:
        assert rewards(other, LEVELS[steps:]) == expected
        assert other.finish().to_dict() == outcome


def test_a_monitor_continues_in_a_spawned_process() -> None:
    monitor = goalspec.Monitor(tank(), columns=["tank.level"])
    rewards(monitor, LEVELS[:1])
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        found = pool.submit(rewards, monitor, LEVELS[1:]).result(60)
    assert found == rewards(monitor, LEVELS[1:])


def test_a_finished_monitor_stays_finished() -> None:
    monitor = goalspec.Monitor(tank())
    rewards(monitor, LEVELS[:1])
    monitor.finish()
    other = pickle.loads(pickle.dumps(monitor))
    assert rewards(other, [1.5])[0][0] == 0
    monitor.reset()
    assert pickle.loads(pickle.dumps(monitor)).steps == 0


def test_copies_are_independent() -> None:
    monitor = goalspec.Monitor(tank(), columns=["tank.level"])
    rewards(monitor, LEVELS[:1])
    other = monitor.copy()
    rewards(other, LEVELS[1:])
    assert (monitor.steps, other.steps) == (1, 4)
    again = pickle.loads(pickle.dumps(monitor))
    assert rewards(again, LEVELS[1:]) == rewards(monitor, LEVELS[1:])


COLUMNS = ["tank.level", "tank.count"]


def vector_rewards(vector: goalspec.VectorMonitor, rows: np.ndarray, where: np.ndarray, last: np.ndarray) -> list[object]:
    """Step a vector monitor, and return rewards, ends and features."""
    result: list[object] = []
    for step in range(len(rows)):
        verdict = vector.step(rows[step], where=where[step], last=last[step])
        result.append((verdict.reward.tolist(), verdict.score.tolist(), verdict.done.tolist(), verdict.satisfied.tolist(), vector.state().tolist()))
    return result


@pytest.mark.parametrize("steps", [0, 1, 7, 20])
def test_a_vector_monitor_continues_equally(steps: int) -> None:
    generator = np.random.default_rng(steps)
    count = 5
    rows = np.stack([generator.choice([0.0, 0.5, 1.5], (40, count)), generator.integers(0, 9, (40, count))], axis=2)
    where, last = generator.random((40, count)) < 0.8, generator.random((40, count)) < 0.03
    vector = goalspec.VectorMonitor(tank(), count, COLUMNS, horizon=50, threads=2)
    vector_rewards(vector, rows[: steps // 2], where, last)
    vector.reset(np.array([True, False, True, False, False]))
    vector_rewards(vector, rows[steps // 2 : steps], where[steps // 2 :], last[steps // 2 :])
    if steps > 1:
        vector.finish(4)
    others = [pickle.loads(pickle.dumps(vector)), copy.deepcopy(vector), pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(vector))))]
    rest = (rows[steps:], where[steps:], last[steps:])
    expected = vector_rewards(vector, *rest)
    ends = [vector.finish(environment).to_dict() for environment in range(count)]
    assert any(sum(step[0]) > 0 for step in expected)  # type: ignore[index]
    for other in others:
        assert other.state_names == vector.state_names
        assert vector_rewards(other, *rest) == expected
        assert [other.finish(environment).to_dict() for environment in range(count)] == ends


def test_a_vector_monitor_continues_in_a_spawned_process() -> None:
    vector = goalspec.VectorMonitor(tank(), 2, ["tank.level"])
    vector.step([[0.0], [0.5]])
    every = np.ones((1, 2), np.bool_)
    rest = (np.array([[[1.5], [0.5]]]), every, ~every)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        found = pool.submit(vector_rewards, vector, *rest).result(60)
    assert found == vector_rewards(vector, *rest) and found[0][0] == [1.0, 0.0]  # type: ignore[index]


def test_a_vector_monitor_with_long_episodes_is_reset_first() -> None:
    # The limit is 16,777,216 / 8,192 / 2 = 1,024 steps.
    count = 8192
    vector = goalspec.VectorMonitor(tank(), count, COLUMNS)
    first = np.zeros(count, np.bool_)
    first[0] = True
    states = np.zeros((count, 2))
    for _ in range(1024):
        vector.step(states, where=first)
    assert pickle.loads(pickle.dumps(vector)).step(states, where=first).reward[0] == 0
    vector.step(states, where=first)
    with pytest.raises(RuntimeError, match="more than 16777216 numbers cannot be pickled: reset them first"):
        pickle.dumps(vector)
    vector.reset(first)
    assert pickle.loads(pickle.dumps(vector)).num_envs == count


def test_libraries_and_programs_are_texts_with_options() -> None:
    library = goalspec.load(str(ROOT / "examples/pddl/delivery/one_van.pddl"))
    program = library["one_van.pddl"] if "one_van.pddl" in [one.name for one in library] else library[0]
    for made in (pickle.loads(pickle.dumps(library))[program.name], pickle.loads(pickle.dumps(program))):
        assert (made.name, made.text, made.describe()) == (program.name, program.text, program.describe())
    # Programs of one library are of one library again, and equal libraries are compiled once.
    games = goalspec.loads(FILL, name="a.game", files={"tank.world.toml": TANK_WORLD}).add(FILL.replace("fill)", "fill2)"), name="b.game")
    again = [pickle.loads(pickle.dumps(game)) for game in games]
    assert len(goalspec.score(again, goalspec.Trace.from_columns(again[0], {"tank.level": LEVELS}))) == 2
    # Options travel along.
    dialect = goalspec.loads(FILL, name="fill.game", files={"tank.world.toml": TANK_WORLD}, dialect="empty-holds")
    assert pickle.loads(pickle.dumps(dialect))._options == dialect._options
    strict = pickle.loads(pickle.dumps(tank()))
    with pytest.raises(goalspec.CheckError):
        strict.add("(define (game", name="bad.game")
    assert len(strict) == 1


def test_traces_have_their_world() -> None:
    library = tank()
    traces = [
        goalspec.Trace.from_columns(library[0], {"tank.level": LEVELS}, time=np.arange(4), name="a"),
        goalspec.Trace.from_states(library, [], name="empty"),
        goalspec.Trace.read(ROOT / "examples/game/play.jsonl"),
    ]
    for trace in traces:
        again = pickle.loads(pickle.dumps(trace))
        assert (again.name, again.world, again.to_list()) == (trace.name, trace.world, trace.to_list())
        assert pickle.loads(pickle.dumps(again)).to_list() == trace.to_list()
    assert goalspec.score(library, pickle.loads(pickle.dumps(traces[0])))[0].score == 2.0


def test_a_reward_function_starts_anew() -> None:
    function = goalspec.RewardFunction(goalspec.load(str(ROOT / "examples/reward/rally.py")))
    again = pickle.loads(pickle.dumps(function))
    ball = {"category": "Ball", "x": 60, "y": 79, "w": 2, "h": 4}
    player = {"category": "Player", "x": 140, "y": 100, "w": 4, "h": 16}
    frames = [[player, ball], [player, ball | {"x": 70}], [player, ball | {"x": 60}]]
    assert [again(frame) for frame in frames] == [function(frame) for frame in frames]
    with pytest.raises(TypeError, match="reset it first"):
        pickle.dumps(function)
    function.reset()
    assert pickle.loads(pickle.dumps(function))(frames[0]).value == again.__class__(goalspec.load(str(ROOT / "examples/reward/rally.py")))(frames[0]).value
