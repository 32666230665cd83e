"""The cases of `suite/`, whose notation its README describes, run through the package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import goalspec

KINDS = ("score", "ends", "rewards", "ready", "count", "attempt", "blame", "remark")
COMPLETE = ("", "score", "ends")


@dataclass
class Case:
    """A case: a game, its states, and what comes out."""

    name: str
    blocks: dict[str, list[str]] = field(default_factory=dict)


def cases() -> Iterator[Case]:
    for path in sorted((ROOT / "suite").glob("*.md")):
        if path.name == "README.md":
            continue
        for section in re.split(r"^## ", path.read_text(), flags=re.M)[1:]:
            case = Case(f"{path.stem}: {section.splitlines()[0]}")
            for kind, block in re.findall(r"^```(.+?)\n(.*?)^```$", section, flags=re.M | re.S):
                case.blocks[kind] = block.splitlines()
            yield case


def fact(call: str) -> list[Any]:
    name, _, rest = call.partition("(")
    return [name, *rest.rstrip(")").split(",")] if rest else [name]


def states(lines: list[str]) -> list[dict[str, Any]]:
    """Return the states of a case as dictionaries of the trace format."""
    result, before = [], []
    for line in lines:
        state: dict[str, Any] = {}
        facts: list[list[Any]] = []
        for token in line.split():
            if token == ".":
                continue
            if token.startswith("t="):
                state["t"] = float(token[2:])
            elif token.startswith("-"):
                state.setdefault("removed", []).append(token[1:])
            elif "@" in token:
                name, place = token.split("@")
                state.setdefault("set", {})[name] = {"position": [float(number) for number in place.split(",")]}
            elif "=" in token:
                call, value = token.split("=")
                state.setdefault("fluents", []).append([*fact(call), float(value)])
            else:
                facts.append(fact(token))
        state["not"] = [one for one in before if one not in facts]
        state["facts"] = facts
        before = facts
        result.append(state)
    return result


def number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))


def lines(outcome: goalspec.Outcome, verdicts: list[goalspec.Verdict]) -> list[str]:
    """Return all lines that can be expected of a play."""
    result = []
    record = outcome.to_dict()
    for preference in record["preferences"]:
        name = preference["name"]
        for one in preference["satisfactions"]:
            binding = [f"{variable}={thing}" for variable, thing in one["binding"].items()]
            measures = [f"{measure['name']}={number(measure['value'])}" for measure in one.get("measures", ())]
            result.append(" ".join([f"{name} {one['start']}-{one['end']}", *binding, *measures]))
        result.append(f"count {name} {preference['count']}")
        attempt = preference.get("best_attempt")
        if attempt is not None:
            binding = [f"{variable}={thing}" for variable, thing in attempt["binding"].items()]
            place = f"phase {attempt['operator'] - 1} events {attempt['events']} start {attempt['start']}"
            result.append(" ".join([f"attempt {name} {place} failed {attempt['failed_at']}", *binding]))
            for blame in attempt["failed_conditions"]:
                value = blame["value"] if isinstance(blame["value"], str) else str(blame["value"]).lower()
                compared = ["with", *map(number, blame["numbers"])] if blame["numbers"] else []
                place = f"blame {name} phase {blame['operator'] - 1}"
                result.append(" ".join([f"{place} {blame['condition']} is {value}", *compared]))
    score = outcome.score_or(None)
    result.append(f"score {record['score_error'] if score is None else number(score)}")
    if outcome.terminal is not None:
        result.append(f"ends {outcome.terminal}")
    result.append(" ".join(["rewards", *(number(verdict.reward) for verdict in verdicts)]))
    result.append(" ".join(["ready", *("+" if verdict.ready else "-" for verdict in verdicts)]))
    result += [f"remark {remark}" for remark in outcome.remarks]
    return result


def kind_of(line: str) -> str:
    first = line.split(" ")[0]
    return first if first in KINDS else ""


CASES = list(cases())


def library_of(case: Case) -> goalspec.Library:
    kind = "game" if "game" in case.blocks else "game empty-holds"
    text = "\n".join(case.blocks[kind])
    if not text.lstrip().startswith("(define"):
        text = f"(define (game case) (:domain toy)\n{text})"
    world = (ROOT / "suite/toy.world.toml").read_text()
    dialect = "empty-holds" if kind == "game empty-holds" else None
    return goalspec.loads(text, name="case.game", files={"toy.world.toml": world}, dialect=dialect, strict=False)


def test_there_are_cases() -> None:
    assert len(CASES) > 100
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    library = library_of(case)
    program = library[0]
    found = []
    for one in program.diagnostics:
        if one.severity != "note":
            assert one.line and one.end_line and one.column and one.end_column
            rows = program.text.splitlines()[one.line - 1 : one.end_line]
            rows[-1] = rows[-1][: one.end_column - 1]
            rows[0] = rows[0][one.column - 1 :]
            found.append(f"{one.severity} {one.code} `{chr(10).join(rows)}`")
    # A library also lints its programs, which the suite does not.
    wanted = case.blocks.get("diagnostics", [])
    assert [one for one in found if one in wanted or one.startswith("error ")] == wanted
    expected = case.blocks.get("expect", [])
    if any(one.is_error for one in program.diagnostics):
        assert expected == []
        return
    play = states(case.blocks.get("states", []))
    trace = goalspec.Trace.from_states(library, play)
    for engine in ("fast", "reference"):
        monitor = goalspec.Monitor(program)
        verdicts = [monitor.step(state, last=index == len(play) - 1) for index, state in enumerate(play)]
        if not play:
            with pytest.raises(goalspec.TraceError, match="the trace has no states"):
                goalspec.score(program, trace, engine=engine)
        outcome = goalspec.score(program, trace, why=True, engine=engine)[0] if play else monitor.finish()
        actual = lines(outcome, verdicts)
        for kind in ("", *KINDS):
            wanted = [line for line in expected if kind_of(line) == kind]
            if wanted or kind in COMPLETE:
                assert [line for line in actual if kind_of(line) == kind] == wanted
