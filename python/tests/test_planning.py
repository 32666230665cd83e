"""Plans, validation, options, simulations, analyses, audits."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import goalspec


def command(*arguments: str, codes: tuple[int, ...] = (0,)) -> Any:
    run = subprocess.run([sys.executable, "-m", "goalspec", *arguments], capture_output=True, text=True, check=False)
    assert run.returncode in codes, run.stderr
    return json.loads(run.stdout)


def without_times(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record of a plan without what depends on the speed and the memory of the machine."""
    statistics = {
        key: value for key, value in record["statistics"].items() if not key.endswith("seconds") and key != "peak_bytes"
    }
    return {**record, "statistics": statistics}


def test_plans_equal_those_of_the_command_line(examples: Path) -> None:
    problem = examples / "pddl/delivery/one_van.pddl"
    expected = command("plan", "--optimal", "--format", "json", str(problem))
    result = goalspec.plan(problem, optimal=True)
    assert without_times(result.to_dict()) == without_times(expected)
    assert result and result.proof == "optimal" and result.steps and result.cost == expected["metric"]
    assert result.stopped is None and result.statistics["generated"] > 0
    text = problem.read_text()
    from_text = goalspec.plan(text, domain=(problem.parent / "domain.pddl").read_text(), optimal=True)
    assert from_text.steps == result.steps


def test_the_states_of_a_plan_are_a_trace(examples: Path) -> None:
    library = goalspec.load(examples / "pddl/delivery/one_van.pddl", examples / "pddl/delivery/errands.game")
    result = goalspec.plan(library)
    trace = result.trace()
    assert result.steps is not None and len(trace) == len(result.steps) + 1
    games = [program for program in library if program.language == "game"]
    assert goalspec.score(games, trace)[0].states == len(trace)


def test_plans_are_validated(examples: Path) -> None:
    problem, plan = examples / "pddl/delivery/one_van.pddl", examples / "pddl/delivery/one_van.plan"
    expected = command("validate", "--format", "json", str(problem), str(plan))
    judged = goalspec.validate(problem, plan.read_text())
    assert judged and judged.to_dict() == expected
    assert goalspec.validate(problem, goalspec.plan(problem)).valid
    steps = [line for line in plan.read_text().splitlines() if line.startswith("(")]
    broken = goalspec.validate(problem, steps[1:])
    assert not broken and any(found.is_error for found in broken.diagnostics)
    with pytest.raises(goalspec.CheckError):
        goalspec.validate(problem, ["(fly red)"])


def test_goals_replace_that_of_the_problem(examples: Path) -> None:
    problem = examples / "pddl/delivery/one_van.pddl"
    assert goalspec.plan(problem, goal="(and)").steps == []
    errands = examples / "pddl/delivery/errands.game"
    library = goalspec.load(problem, errands)
    game = next(program for program in library if program.language == "game")
    for name in game.preferences[:1]:
        by_file = goalspec.plan(problem, goal=f"{errands}::{name}")
        assert by_file.steps == goalspec.plan(library, goal=(game, name)).steps
    with pytest.raises(goalspec.CheckError):
        goalspec.plan(problem, goal="(at nowhere)")
    with pytest.raises(ValueError, match="unknown search `lamma`.*did you mean `lama`"):
        goalspec.plan(problem, search="lamma")
    with pytest.raises(ValueError, match="exclude each other"):
        goalspec.plan(problem, optimal=True, improve=True)
    with pytest.raises(ValueError, match="time limit"):
        goalspec.plan(problem, time_limit=-1.0)


def test_unsolvable_problems_are_no_exceptions(examples: Path) -> None:
    domain = "(define (domain d) (:predicates (p) (q)) (:action a :parameters () :precondition (p) :effect (q)))"
    result = goalspec.plan("(define (problem x) (:domain d) (:init) (:goal (q)))", domain=domain)
    assert not result and result.steps is None and result.proof == "unsolvable"
    with pytest.raises(ValueError, match="no plan"):
        result.trace()
    with pytest.raises(goalspec.CheckError):
        goalspec.plan("(define (problem x) (:domain d) (:init) (:goal (nix)))", domain=domain)


def test_found_plans_are_reported(examples: Path) -> None:
    found: list[tuple[int, float | None, float]] = []
    result = goalspec.plan(examples / "pddl/delivery/one_van.pddl", improve=True, on_plan=lambda *plan: found.append(plan))
    assert found and result.steps and found[-1][0] == len(result.steps)


def test_options_of_goals_are_counted(examples: Path) -> None:
    path = str(examples / "bddl/watering_the_garden.bddl")
    options = goalspec.options(path, limit=3)
    assert [options.to_dict()] == command("options", "--limit", "3", "--format", "json", path, codes=(0, 1))
    with pytest.raises(ValueError):
        goalspec.options(examples / "pddl/delivery/one_van.pddl")


def test_simulations_equal_those_of_the_command_line(examples: Path) -> None:
    game = examples / "rgg/berries.yaml"
    arguments = ["--policy", "greedy", "--games", "200", "--seed", "7", "--format", "json"]
    expected = command("simulate", *arguments, str(game))
    study = goalspec.simulate(game, policies="greedy", games=200, seed=7)
    assert study.to_dict() == expected and study.games == 200
    calls: list[tuple[int, int]] = []
    again = goalspec.simulate(
        game, policies="greedy", games=200, seed=7, jobs=1, progress=lambda done, total: calls.append((done, total))
    )
    assert again.to_dict() == expected and calls[-1] == (200, 200)
    with pytest.raises(ValueError):
        goalspec.simulate(game, policies="clever")
    with pytest.raises(ValueError):
        goalspec.simulate(game, games=0)
    with pytest.raises(ValueError, match="expected one resource graph game"):
        goalspec.simulate(examples / "game/throw-to-bin.game")


def test_analyses_equal_those_of_the_command_line(examples: Path) -> None:
    game = examples / "rgg/climb.yaml"
    expected = command("analyse", "--horizon", "5", "--format", "json", str(game))
    assert goalspec.analyse(game, horizon=5).to_dict() == expected
    with pytest.raises(goalspec.RefusedError):
        goalspec.analyse(game, max_states=1)


def test_audits_equal_those_of_the_command_line(examples: Path) -> None:
    recording = examples / "game"
    program = examples / "reward/rally.py"
    pong = sorted((examples / "reward").glob("*.jsonl"))
    paths = [program, *pong] if pong else [examples / "reward/landing"]
    expected = command("audit", "--format", "json", *map(str, paths), codes=(0, 1))
    audits = goalspec.audit(goalspec.load(*paths))
    assert [audit.to_dict() for audit in audits] == expected
    assert audits[0].program in str(audits[0]) or str(audits)
    assert "<html" in audits.to_html()
    with pytest.raises(ValueError, match="not a reward function"):
        goalspec.audit(goalspec.load("@throw-to-bin"))
    del recording
