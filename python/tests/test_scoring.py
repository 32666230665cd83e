"""Traces and scores."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import FILL, TANK_WORLD

import goalspec


def command(*arguments: str) -> object:
    """Return the JSON that the command line prints."""
    run = subprocess.run([sys.executable, "-m", "goalspec", *arguments], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def tank() -> goalspec.Library:
    return goalspec.loads(FILL, name="fill.game", files={"tank.world.toml": TANK_WORLD})


@pytest.mark.parametrize(
    ("program", "trace"),
    [
        ("game/throw-to-bin.game", "game/play.jsonl"),
        ("bddl/watering_the_garden.bddl", "bddl/watering.jsonl"),
        ("reward/landing/land.py", "reward/landing/flight.jsonl"),
    ],
)
def test_outcomes_equal_those_of_the_command_line(examples: Path, program: str, trace: str) -> None:
    paths = [examples / program, examples / trace]
    if program == "reward/landing/land.py":
        paths = [examples / "reward/landing"]
    arguments = ["--per-step"] if program.startswith("reward") else ["--per-step", "--why"]
    expected = command("score", "--format", "json", *arguments, *map(str, paths))
    report = goalspec.score(goalspec.load(*paths), per_step=True, why="--why" in arguments)
    assert report.to_dicts() == expected and json.loads(report.to_json()) == expected
    outcome = report[0]
    assert outcome.rewards.shape == (outcome.states,)
    assert np.nansum(outcome.rewards) == pytest.approx(outcome.score)


def test_preferences_have_satisfactions() -> None:
    outcome = goalspec.score("@throw-to-bin", why=True)[0]
    thrown = outcome.preferences["throwToBin"]
    assert [(one.start, one.end) for one in thrown.satisfactions] == [(48, 56), (72, 77)]
    kinds = {variable: thing.split("|")[0] for variable, thing in thrown.satisfactions[0].binding.items()}
    assert kinds == {"?d": "Dodgeball", "?h": "GarbageCan"}
    assert thrown.best_attempt is None
    attempt = outcome.preferences["throwFromAfar"].best_attempt
    assert attempt is not None and attempt["failed_conditions"]
    assert outcome.setup_met is True and outcome.terminal is None and not outcome.is_reward


def test_tables_have_columns() -> None:
    report = goalspec.score("@throw-to-bin", per_step=True)
    table = report.table()
    assert list(table["preference"]) == ["throwToBin", "throwFromAfar", "throwAttempt"]
    assert table["count"].dtype == np.int64 and list(table["count"]) == [2, 0, 3]
    states = report.table(by="state")
    assert states["reward"].sum() == 10.0 and len(states["state"]) == 78
    with pytest.raises(ValueError, match="unknown table `day`"):
        report.table(by="day")


def test_states_make_the_round_trip(examples: Path, tmp_path: Path) -> None:
    trace = goalspec.Trace.read(examples / "game/play.jsonl")
    assert len(trace) == 78 and trace.world == "few-objects-room-v1"
    copy = goalspec.Trace.from_states(trace, trace)
    assert copy.to_list() == trace.to_list()
    program = goalspec.load(examples / "game/throw-to-bin.game")
    assert goalspec.score(program, copy)[0].score == goalspec.score(program, trace)[0].score == 10.0
    for name in ["play.jsonl", "play.jsonl.gz", "play.jsonl.zst", "play.parquet"]:
        trace.save(tmp_path / name)
        assert goalspec.Trace.read(tmp_path / name).to_list() == trace.to_list()
    goalspec.convert(tmp_path / "play.parquet", tmp_path / "again.jsonl")
    assert goalspec.Trace.read((tmp_path / "again.jsonl").read_bytes()).to_list() == trace.to_list()
    assert trace[-1] == trace[77] and trace[76:] == [trace[76], trace[77]]
    with pytest.raises(IndexError):
        trace[78]


def test_columns_make_traces() -> None:
    library = tank()
    trace = goalspec.Trace.from_columns(
        library,
        {
            "tank.level": np.array([0.0, 1.0, 0.5, 1.0], dtype=np.float32),
            "tank.count": np.array([1, 2, 3, 4], dtype=np.uint8),
            "tank.on": np.array([True, False, False, True]),
            "tank.position": np.arange(12).reshape(4, 3)[::1],
            "leaking(tank)": [False, True, True, False],
            "fuel( tank )": [2.0, 2.0, 1.0, 1.0],
        },
        time=[0.0, 0.5, 1.0, 1.5],
        action=["noop", "fill", None, "fill"],
    )
    assert len(trace) == 4
    assert trace[0]["set"]["tank"] == {"level": 0.0, "count": 1, "on": True, "position": [0.0, 1.0, 2.0]}
    assert trace[0]["fluents"] == [["fuel", "tank", 2.0]] and trace[0]["t"] == 0.0
    assert trace[1]["facts"] == [["leaking", "tank"]] and trace[1]["action"] == "fill" and "fluents" not in trace[1]
    assert "action" not in trace[2]
    assert goalspec.score(library, trace)[0].score == 2.0


def test_masked_cells_are_as_before() -> None:
    library = tank()
    level = np.ma.masked_array([9.0, 0.0, 9.0, 1.0], mask=[True, False, True, False])
    trace = goalspec.Trace.from_columns(library, {"tank.level": level, "fuel(tank)": [np.nan, 1.0, np.nan, 1.0]})
    assert "set" not in trace[0] and "fluents" not in trace[0]
    assert trace[1] == {"set": {"tank": {"level": 0.0}}, "fluents": [["fuel", "tank", 1.0]]}
    assert "set" not in trace[2] and trace[3]["set"] == {"tank": {"level": 1.0}}


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        ({"tank.levle": [0.0]}, KeyError, "did you mean `level`"),
        ({"leak(tank)": [True]}, KeyError, "did you mean `leaking`"),
        ({"tnak.level": [0.0]}, KeyError, "did you mean `tank`"),
        ({"tank.count": [1, 2.5]}, goalspec.TraceError, "column `tank.count`: expected an integer of 64 bits, found 2.5"),
        ({"tank.on": [1, 2]}, goalspec.TraceError, "column `tank.on`: expected 0 or 1, found 2"),
        ({"leaking(tank)": [0, 3]}, goalspec.TraceError, "expected 0 or 1, found 3"),
        ({"tank.level": [0.0, np.inf]}, goalspec.TraceError, "expected a finite number, found inf"),
        ({"tank.position": [[0, 0]]}, ValueError, r"expected the shape \(states,\) or \(states, 3\), found \(1, 2\)"),
        ({"tank.level": ["a"]}, TypeError, "expected numbers or truth values"),
        ({"tank.level": [0.0], "tank.on": [True, False]}, ValueError, "expected 1 states, found 2"),
        ({}, ValueError, "at least one column"),
    ],
)
def test_wrong_columns_are_errors(columns: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as raised:
        goalspec.Trace.from_columns(tank(), columns)
    if isinstance(raised.value, goalspec.TraceError):
        assert raised.value.state == 2


def test_wrong_states_are_errors() -> None:
    library = tank()
    with pytest.raises(goalspec.TraceError, match="tank2") as raised:
        goalspec.Trace.from_states(library, [{"set": {"tank": {"level": 1.0}}}, {"set": {"tank2": {}}}])
    assert raised.value.state == 2 and raised.value.diagnostic.code.startswith("trace/")
    for state in [{"set": {"tank": {"level": float("nan")}}}, {"set": {"tank": {"level": 10**400}}}, {1: 2}, {"set": object()}]:
        with pytest.raises((goalspec.TraceError, ValueError, TypeError)):
            goalspec.Trace.from_states(library, [state])  # type: ignore[list-item]
    nested: list[object] = []
    nested.append(nested)
    with pytest.raises(ValueError, match="nested"):
        goalspec.Trace.from_states(library, [{"set": nested}])


def test_unreadable_traces_are_errors(tmp_path: Path, examples: Path) -> None:
    with pytest.raises(goalspec.TraceError, match="missing.jsonl"):
        goalspec.Trace.read(tmp_path / "missing.jsonl")
    damaged = tmp_path / "damaged.jsonl"
    lines = (examples / "game/play.jsonl").read_text().splitlines(keepends=True)
    damaged.write_text("".join(lines[:20]) + lines[20][:30])
    with pytest.raises(goalspec.TraceError) as raised:
        goalspec.Trace.read(damaged)
    assert raised.value.state == 20
    program = goalspec.load(examples / "game/throw-to-bin.game")
    with pytest.raises(goalspec.TraceError, match="damaged.jsonl"):
        goalspec.score(program, damaged)
    kept = goalspec.score(program, [damaged, examples / "game/play.jsonl"], on_error="keep")
    assert [outcome.score for outcome in kept] == [10.0] and any(found.is_error for found in kept.diagnostics)
    assert goalspec.score(program, damaged, partial=True)[0].states == 19


def test_outcomes_without_a_score_raise_on_request() -> None:
    game = FILL.replace("(count filled)))", "(/ 1 (count filled))))")
    library = goalspec.loads(game, name="fill.game", files={"tank.world.toml": TANK_WORLD})
    outcome = goalspec.score(library, goalspec.Trace.from_columns(library, {"tank.level": [0.0]}))[0]
    assert outcome.score_or(None) is None and outcome.to_dict()["score"] is None
    with pytest.raises(goalspec.ScoreError, match="division by zero") as raised:
        _ = outcome.score
    assert isinstance(raised.value, ArithmeticError)


def test_programs_are_selected(examples: Path) -> None:
    library = goalspec.load(examples / "game", strict=False)
    with pytest.raises(goalspec.CheckError):
        goalspec.score(library)
    report = goalspec.score([library[str(examples / "game/throw-to-bin.game")]], examples / "game/play.jsonl")
    assert [outcome.program for outcome in report] == [str(examples / "game/throw-to-bin.game")]
    with pytest.raises(ValueError, match="different libraries"):
        goalspec.score([library[0], goalspec.load("@throw-to-bin")[0]], [])
    with pytest.raises(ValueError, match="unknown engine `slow`"):
        goalspec.score(library, [], engine="slow")


def test_reports_are_equal_on_all_engines_and_threads(examples: Path) -> None:
    program, traces = goalspec.load(examples / "game/throw-to-bin.game"), [examples / "game/play.jsonl"] * 8
    expected = goalspec.score(program, traces, jobs=1, per_step=True).to_json()
    assert goalspec.score(program, traces, jobs=4, per_step=True).to_json() == expected
    assert goalspec.score(program, traces, engine="reference", per_step=True).to_json() == expected
    calls: list[tuple[int, int]] = []
    goalspec.score(program, traces, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (8, 8)


def test_reports_are_rendered_in_notebooks() -> None:
    report = goalspec.score("@throw-to-bin")
    assert "<table>" in report._repr_html_() and "throwToBin" in report[0]._repr_html_()
    assert "<script" not in report._repr_html_()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8, np.uint64, np.bool_])
def test_columns_of_all_types_and_strides_are_taken(dtype: type) -> None:
    levels = np.array([0, 1, 0, 1], dtype)
    position = np.arange(24, dtype=np.float64).reshape(3, 8).T[::2]
    trace = goalspec.Trace.from_columns(tank(), {"tank.level": np.repeat(levels, 2)[::2], "tank.position": position})
    expected = goalspec.Trace.from_columns(tank(), {"tank.level": [0.0, 1.0, 0.0, 1.0], "tank.position": position.copy()})
    assert trace.to_list() == expected.to_list()
    with pytest.raises(ValueError, match="column `tank.level`: expected a numpy array of float64 with copy=False"):
        goalspec.Trace.from_columns(tank(), {"tank.level": levels}, copy=False)


def test_columns_that_need_no_copy_are_taken_without_one() -> None:
    levels = np.array([0.0, 9.0, 1.0, 9.0, 0.0, 9.0])[::2]
    assert len(goalspec.Trace.from_columns(tank(), {"tank.level": levels}, copy=False)) == 3
    for refused in (levels.tolist(), np.ma.masked_equal(levels, 0.0)):
        with pytest.raises(ValueError, match="copy=False"):
            goalspec.Trace.from_columns(tank(), {"tank.level": refused}, copy=False)
