"""Loading, checking, formatting, descriptions."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FILL, TANK_WORLD

import goalspec


def test_programs_of_every_language_are_loaded(examples: Path) -> None:
    library = goalspec.load(
        examples / "game/throw-to-bin.game",
        examples / "bddl/watering_the_garden.bddl",
        examples / "pddl/delivery/one_van.pddl",
        examples / "rgg/berries.yaml",
        examples / "reward/rally.py",
    )
    assert {program.language: program.kind for program in library} == {
        "rgg": "resource game",
        "pddl": "problem",
        "game": "game",
        "bddl": "activity",
        "reward": "reward function",
    }
    assert all(program.describe() for program in library)
    game = next(program for program in library if program.language == "game")
    assert game.preferences == ("throwToBin", "throwFromAfar", "throwAttempt")
    assert library[game.name].text == (examples / "game/throw-to-bin.game").read_text()
    assert game.world == "few-objects-room-v1"
    assert "bindings" in (game.cost() or "")
    with pytest.raises(KeyError, match="unknown program `no`"):
        library["no"]


def test_errors_are_raised_with_their_places(examples: Path) -> None:
    path = examples / "game/faulty.game"
    with pytest.raises(goalspec.CheckError) as raised:
        goalspec.load(path)
    errors = [found for found in raised.value.diagnostics if found.is_error]
    assert errors and isinstance(raised.value, goalspec.GoalspecError) and isinstance(raised.value, ValueError)
    first = errors[0]
    assert first.name == str(path) and first.line and first.column and first.end_line and first.end_column
    assert first.message in str(raised.value) and str(first.line) in str(raised.value)
    library = goalspec.load(path, strict=False)
    assert [found for found in library.diagnostics if found.is_error] == errors
    assert "<pre>" in first._repr_html_()
    copy = pickle.loads(pickle.dumps(raised.value))
    assert copy.diagnostics == raised.value.diagnostics


def test_diagnostics_equal_those_of_the_command_line(examples: Path) -> None:
    path = str(examples / "game/faulty.game")
    command = [sys.executable, "-m", "goalspec", "check", "--format", "json", path]
    printed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert printed.returncode == 1
    assert [found.to_dict() for found in goalspec.check(path)] == json.loads(printed.stdout)


def test_severities_can_be_raised() -> None:
    text = "(define (game g) (:domain few-objects-room-v1) (:constraints (preference p (exists (?b - ball) (at-end (in ?b ?b))))) (:scoring 1))"
    library = goalspec.loads(text, name="g.game")
    found = goalspec.check(library)
    warnings = [one.code for one in found if one.severity == "warning"]
    assert warnings
    denied = goalspec.check(library, deny="warning")
    assert [one.code for one in denied if one.is_error] == [one.code for one in found if one.severity != "note"]
    with pytest.raises(ValueError, match="unknown severity `oops`"):
        goalspec.check(library, deny="oops")


def test_texts_are_loaded_without_files() -> None:
    library = goalspec.loads(FILL, name="fill.game", files={"tank.world.toml": TANK_WORLD})
    assert library.worlds == ["tank"] and library[0].world == "tank"
    added = goalspec.Library().add_world(TANK_WORLD, name="tank.world.toml").add(FILL, name="fill.game")
    assert [program.name for program in added] == [program.name for program in library]
    base = "name = \"base\"\n[types]\ntank = {}\n"
    extending = "name = \"extending\"\nextends = \"base\"\n[objects]\nt = { type = \"tank\", name = \"t\" }\n"
    assert goalspec.Library().add_world(extending, name="x.world.toml", files={"base": base}).worlds == ["extending"]
    with pytest.raises(goalspec.CheckError):
        goalspec.loads(FILL, name="fill.game")


def test_libraries_are_pickled_as_their_texts() -> None:
    library = goalspec.loads(FILL, name="fill.game", files={"tank.world.toml": TANK_WORLD})
    copy = pickle.loads(pickle.dumps(library))
    assert [program.text for program in copy] == [FILL] and copy.worlds == ["tank"]


def test_texts_are_formatted(examples: Path) -> None:
    formatted = goalspec.format("(define   (game g)(:domain d)(:scoring 1))", "g.game")
    assert formatted.splitlines()[0] == "(define (game g) (:domain d)" and goalspec.format(formatted, "g.game") == formatted
    with pytest.raises(goalspec.CheckError):
        goalspec.format("(define (game g)", "g.game")
    with pytest.raises(goalspec.CheckError, match="Python is not supported"):
        goalspec.format("def f(objects):\n    return 0.0\n", "f.py")


def test_codes_are_explained() -> None:
    assert "variable" in goalspec.explain("game/unbound-variable")
    with pytest.raises(KeyError, match="game/unbound-variable"):
        goalspec.explain("game/unbound-variabel")


def test_unknown_dialects_are_named() -> None:
    with pytest.raises(ValueError, match="did you mean `documented`"):
        goalspec.loads("x", dialect="documentd")


def test_columns_of_diagnostics_count_code_points() -> None:
    text = """; 🙂🙂
(define (game g) (:domain few-objects-room-v1)
    (:constraints (preference é🙂 (at-end (agent_holds ?nix)))) (:scoring (count é🙂)))
"""
    found = goalspec.loads(text, name="g.game", strict=False).diagnostics
    place = next(one for one in found if "?nix" in one.message)
    assert place.line == 3 and place.column is not None
    assert text.splitlines()[2][place.column - 1 :].startswith("?nix")


def test_limits_are_numbers() -> None:
    world = TANK_WORLD.replace('tank = { type = "tank", name = "tank" }', '"tank_{n}" = { type = "tank", count = 400 }')
    variables = " ".join(f"?{name} - tank" for name in "abc")
    holds = "(hold (< (level ?b) (level ?c)))" * 24
    pattern = f"(exists ({variables}) (then (once (< (level ?a) 1)) {holds} (once (< (level ?b) (level ?c)))))"
    game = f"(define (game many) (:domain tank) (:constraints (preference p {pattern})) (:scoring (count p)))"
    library = goalspec.loads(game, name="many.game", files={"tank.world.toml": world})
    with pytest.raises(goalspec.RefusedError, match="2048 MB") as raised:
        goalspec.Monitor(library)
    assert raised.value.limit == 2 << 30 and raised.value.asked is not None and raised.value.asked > 400**3
    copy = pickle.loads(pickle.dumps(raised.value))
    assert (copy.limit, copy.asked, str(copy)) == (raised.value.limit, raised.value.asked, str(raised.value))
    trace = goalspec.Trace.from_columns(library, {"tank_0.level": [0.5]})
    with pytest.raises(goalspec.RefusedError) as raised:
        goalspec.score(library, trace)
    assert raised.value.limit == 2 << 30
    with pytest.raises(goalspec.RefusedError) as raised:
        goalspec.Monitor(goalspec.loads("from ocatari.ram.pong import *\ndef reward_function(objects): return 1", name="r.py"))
    assert (raised.value.limit, raised.value.asked) == (None, None)


def test_custom_results_are_named(examples: Path) -> None:
    text = (examples / "rgg/berries.yaml").read_text()
    for results in (["Weather"], ["Weather=http://localhost:9/weather"]):
        assert goalspec.loads(text, name="berries.yaml", results=results)[0].language == "rgg"
    with pytest.raises(ValueError, match="a result of the language"):
        goalspec.loads(text, name="berries.yaml", results=["Resources"])
    with pytest.raises(TypeError, match="expected a list of results"):
        goalspec.loads(text, name="berries.yaml", results="Weather")


def test_a_strict_library_stays_without_errors() -> None:
    library = goalspec.Library().add_world(TANK_WORLD, name="tank.world.toml")
    with pytest.raises(goalspec.CheckError):
        library.add(FILL.replace("count filled", "count filed"), name="fill.game")
    assert len(library) == 0 and library.diagnostics == []
    tolerant = goalspec.Library(strict=False).add("(define (game", name="bad.game")
    assert any(found.is_error for found in tolerant.diagnostics)


def test_playability_is_that_of_the_command_line(examples: Path) -> None:
    paths = [examples / "game/throw-to-bin.game", examples / "game/play.jsonl"]
    command = [sys.executable, "-m", "goalspec", "check", "--playable", *map(str, paths), "--format", "json"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    expected = json.loads(run.stdout)["playability"]
    assert goalspec.playability(*paths) == expected
    assert goalspec.playability(goalspec.load(paths[0]), traces=paths[1:]) == expected
    climb = goalspec.playability(examples / "rgg/climb.yaml", simulations=20)
    assert climb[0]["possibility"] == "possible"
    with pytest.raises(ValueError, match="plan_time=-1"):
        goalspec.playability("@tower", plan_time=-1)
    with pytest.raises(ValueError, match="plan_time=NaN"):
        goalspec.playability("@tower", plan_time=float("nan"))
    with pytest.raises(goalspec.CheckError, match=r"missing\.jsonl"):
        goalspec.playability("@tower", traces=["missing.jsonl"])
