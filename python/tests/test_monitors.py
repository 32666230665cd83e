"""Monitors in one environment and in many."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import FILL, TANK_WORLD

import goalspec


def tank() -> goalspec.Library:
    return goalspec.loads(FILL, name="fill.game", files={"tank.world.toml": TANK_WORLD})


def test_rewards_of_states_sum_to_the_score(examples: Path) -> None:
    program = goalspec.load(examples / "game/throw-to-bin.game")[0]
    trace = goalspec.Trace.read(examples / "game/play.jsonl")
    monitor = goalspec.Monitor(program)
    total, found = 0.0, []
    for index, state in enumerate(trace):
        verdict = monitor.step(state, last=index == len(trace) - 1)
        total += verdict.reward
        found += verdict.satisfied
    outcome = goalspec.score(program, trace, per_step=True)[0]
    finished = monitor.finish(trace.name)
    assert total == finished.score == outcome.score == 10.0
    assert verdict.done and verdict.ready and monitor.steps == 78
    assert {"rewards": list(outcome.rewards), **finished.to_dict()} == outcome.to_dict()
    assert [one for one in found if one.preference == "throwToBin"][0].binding["?h"].startswith("GarbageCan|")
    assert len(found) == 5


def test_goals_are_monitored(examples: Path) -> None:
    program = goalspec.load(examples / "bddl/watering_the_garden.bddl")[0]
    trace = goalspec.Trace.read(examples / "bddl/watering.jsonl", program)
    monitor = goalspec.Monitor(program)
    verdicts = [monitor.step(state) for state in trace]
    assert sum(verdict.reward for verdict in verdicts) == pytest.approx(0.6)
    assert monitor.state_is_exact and monitor.state_names[0] == "progress"
    assert monitor.state()[0] == np.float32(verdicts[-1].score)
    held = {int(one.preference) for one in verdicts[-1].satisfied}
    assert held == {place for place, value in enumerate(monitor.state()[1:]) if value}
    assert monitor.finish().score == pytest.approx(0.6)


def test_columns_and_dictionaries_agree() -> None:
    library = tank()
    by_fields, by_columns = goalspec.Monitor(library), goalspec.Monitor(library, columns=["tank.level"])
    for level in [0.0, 1.0, 0.5, 0.5, 2.0, 0.0]:
        one = by_fields.step({"set": {"tank": {"level": level}}})
        other = by_columns.step([level])
        assert repr(one) == repr(other) and one.satisfied == other.satisfied
    assert one.done and by_fields.finish().score == by_columns.finish().score == 2.0


def test_monitors_are_reset_and_copied() -> None:
    monitor = goalspec.Monitor(tank(), columns=["tank.level"])
    monitor.step([0.0])
    copy = monitor.copy()
    assert monitor.step([1.0]).reward == 1.0
    assert (copy.steps, monitor.steps) == (1, 2)
    assert copy.step([1.0]).reward == 1.0
    monitor.reset()
    assert monitor.steps == 0 and monitor.step([1.0]).reward == 0.0
    assert monitor.state_names == ["setup", "filled.attempt", "filled.count"]
    out = np.zeros(3, np.float32)
    assert copy.state(out) is out and list(out) == [1.0, 0.0, 0.5]


def test_wrong_states_leave_a_monitor_unchanged() -> None:
    monitor = goalspec.Monitor(tank(), columns=["tank.level"])
    monitor.step([0.0])
    with pytest.raises(goalspec.TraceError, match="finite") as raised:
        monitor.step([np.nan])
    assert raised.value.state == 2
    with pytest.raises(ValueError, match="expected a state of 1 numbers, one for each column, found 2"):
        monitor.step([0.0, 0.0])
    assert monitor.steps == 1 and monitor.step([1.0]).reward == 1.0
    by_fields = goalspec.Monitor(tank())
    with pytest.raises(goalspec.TraceError):
        by_fields.step({"set": {"tank": {"levle": 1.0}}})
    with pytest.raises(TypeError):
        by_fields.step({"set": {"tank": {"level": object()}}})
    assert by_fields.steps == 0


def test_programs_that_are_not_monitored_are_refused(examples: Path) -> None:
    for path in ["pddl/delivery/one_van.pddl", "rgg/berries.yaml", "reward/rally.py"]:
        library = goalspec.load(examples / path)
        with pytest.raises(goalspec.RefusedError):
            goalspec.Monitor(library)
    for make in (goalspec.Monitor, lambda library, **options: goalspec.VectorMonitor(library, 2, ["tank.level"], **options)):
        with pytest.raises(goalspec.RefusedError, match="summary of the states before; a horizon may make it exact"):
            make(tank(), exact=True)
        monitor = make(tank(), exact=True, horizon=100)
        assert monitor.state_is_exact and monitor.state_size == len(monitor.state_names) == 5
        with pytest.raises(ValueError, match="expected a horizon of at least 1 state"):
            make(tank(), horizon=0)
    with pytest.raises(KeyError, match="did you mean `level`"):
        goalspec.Monitor(tank(), columns=["tank.levle"])


def test_environments_are_stepped_together() -> None:
    generator = np.random.default_rng(3)
    levels = generator.integers(0, 2, (50, 200, 1)).astype(np.float64)
    library = tank()
    singles = [goalspec.Monitor(library, columns=["tank.level"]) for _ in range(200)]
    for threads in (1, 2):
        batch = goalspec.VectorMonitor(library, 200, ["tank.level"], threads=threads)
        totals = np.zeros(200)
        for values in levels:
            verdict = batch.step(values)
            assert verdict.reward.shape == (200,) and verdict.satisfied.shape == (200, 1)
            np.testing.assert_array_equal(verdict.reward, verdict.satisfied[:, 0])
            totals += verdict.reward
        np.testing.assert_array_equal(totals, verdict.score)
        for environment, single in enumerate(singles):
            if threads == 1:
                for values in levels:
                    single.step(values[environment])
            assert single.finish().to_dict() == batch.finish(environment).to_dict()
            np.testing.assert_array_equal(single.state(), batch.state()[environment])


def test_selected_environments_are_stepped_and_reset() -> None:
    batch = goalspec.VectorMonitor(tank(), 3, ["tank.level"])
    where = np.array([True, False, True])
    assert list(batch.step([[0.0], [np.nan], [0.0]], where=where).reward) == [0.0, 0.0, 0.0]
    verdict = batch.step(np.ones((3, 1), np.float32))
    assert list(verdict.reward) == [1.0, 0.0, 1.0] and list(verdict.score) == [1.0, 0.0, 1.0]
    batch.reset(np.array([True, False, False]))
    batch.step(np.zeros((3, 1)))
    verdict = batch.step(np.ones((3, 1)), last=np.array([False, True, False]))
    assert list(verdict.score) == [1.0, 1.0, 2.0] and list(verdict.done) == [False, True, True]
    after = batch.step(np.zeros((3, 1)), where=where)
    assert list(after.done) == [False, True, True] and list(after.reward) == [0.0, 0.0, 0.0]
    assert not np.shares_memory(after.reward, verdict.reward)


def test_wrong_shapes_are_named() -> None:
    batch = goalspec.VectorMonitor(tank(), 3, ["tank.level"])
    with pytest.raises(ValueError, match=r"expected states of the shape \(3, 1\), one row for each environment, found \(1, 3\)"):
        batch.step(np.zeros((1, 3)))
    with pytest.raises(ValueError, match="expected 3 truth values for where, found 2"):
        batch.step(np.zeros((3, 1)), where=np.array([True, False]))
    with pytest.raises(TypeError):
        batch.step(np.zeros(3))
    with pytest.raises(goalspec.TraceError):
        batch.step([[0.0], [np.inf], [0.0]])
    with pytest.raises(IndexError):
        batch.finish(3)
    with pytest.raises(ValueError, match="out"):
        batch.state(np.zeros((3, 4), np.float32))
    with pytest.raises(ValueError):
        goalspec.VectorMonitor(tank(), 0, ["tank.level"])


def test_two_threads_cannot_use_one_monitor() -> None:
    batch = goalspec.VectorMonitor(tank(), 4096, ["tank.level"])
    errors: list[BaseException] = []

    def work() -> None:
        levels = np.zeros((4096, 1))
        for step in range(40):
            levels[:] = step % 2
            try:
                batch.step(levels)
            except RuntimeError as error:
                errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors and all(type(error) is RuntimeError for error in errors)
    batch.reset()
    assert batch.step(np.zeros((4096, 1))).reward.sum() == 0.0


def test_states_of_many_monitors_are_those_of_each() -> None:
    generator = np.random.default_rng(4)
    library = tank()
    vector = goalspec.VectorMonitor(library, 5, ["tank.level"], horizon=10)
    singles = [goalspec.Monitor(library, columns=["tank.level"], horizon=10) for _ in range(5)]
    assert vector.state_names == singles[0].state_names
    out = np.empty((5, vector.state_size), np.float32)
    for _ in range(12):
        levels = generator.integers(0, 2, (5, 1)).astype(np.float64)
        vector.step(levels)
        for single, level in zip(singles, levels, strict=True):
            single.step(level)
        assert vector.state(out) is out
        np.testing.assert_array_equal(out, [single.state() for single in singles])
        assert out.min() >= 0 and out.max() <= 1
    assert vector.state() is not out and vector.state() is not vector.state()
