"""Activities evaluated against live simulators, and over traces of the same facts."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import goalspec

ACTIVITY = """
(define (problem tidying-0)
    (:domain omnigibson)
    (:objects
        cup.n.01_1 cup.n.01_2 cup.n.01_3 - cup.n.01
        plate.n.01_1 plate.n.01_2 - plate.n.01
        shelf.n.01_1 - shelf.n.01
        floor.n.01_1 - floor.n.01
        agent.n.01_1 - agent.n.01
    )
    (:init
        (inroom shelf.n.01_1 kitchen) (inroom floor.n.01_1 kitchen)
        (ontop cup.n.01_1 floor.n.01_1) (ontop cup.n.01_2 floor.n.01_1) (ontop cup.n.01_3 floor.n.01_1)
        (ontop plate.n.01_1 floor.n.01_1) (ontop plate.n.01_2 floor.n.01_1) (ontop agent.n.01_1 floor.n.01_1)
    )
    (:goal (and
        (forall (?cup.n.01 - cup.n.01) (or (inside ?cup.n.01 ?shelf.n.01_1) (not (covered ?cup.n.01 ?cup.n.01))))
        (forn (2) (?cup.n.01 - cup.n.01) (ontop ?cup.n.01 ?shelf.n.01_1))
        (forpairs (?cup.n.01 - cup.n.01) (?plate.n.01 - plate.n.01) (nextto ?cup.n.01 ?plate.n.01))
        (exists (?plate.n.01 - plate.n.01) (not (cooked ?plate.n.01)))
        (not (open ?shelf.n.01_1))
    ))
)
"""


class House:
    """A simulator with random changes, which counts what it is asked."""

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)
        self.facts: set[tuple[Any, ...]] = set()
        self.calls: list[tuple[Any, ...]] = []

    def get_predicate(self, name: str, /, *objects: Any) -> bool:
        self.calls.append((name, *objects))
        return (name, *objects) in self.facts

    def advance(self, facts: list[tuple[Any, ...]]) -> None:
        for fact in facts:
            if self.random.random() < 0.4:
                self.facts.symmetric_difference_update([fact])


def activity(text: str = ACTIVITY) -> goalspec.Program:
    return goalspec.loads(text, name="tidying.bddl", strict=False)[0]


@pytest.mark.parametrize("seed", range(6))
def test_results_are_those_of_a_trace_of_the_facts(seed: int) -> None:
    program, house = activity(), House(seed)
    monitor = goalspec.SimulatorMonitor(program, house, explain=True)
    plain = goalspec.Monitor(program, explain=True)
    states: list[dict[str, Any]] = []
    before: set[tuple[Any, ...]] = set()
    scores = set()
    for step in range(25):
        # Facts that the goal does not mention are part of the trace.
        house.advance([*monitor.facts, ("inside", "plate.n.01_1", "shelf.n.01_1"), ("ontop", "agent.n.01_1", "shelf.n.01_1")])
        states.append({
            "facts": [list(fact) for fact in sorted(house.facts - before)],
            "not": [list(fact) for fact in sorted(before - house.facts)],
            "t": float(step),
        })
        before = set(house.facts)
        verdict, expected = monitor.step(time=float(step)), plain.step(states[-1], time=float(step))
        assert (verdict.reward, verdict.score, verdict.done, verdict.satisfied) == (expected.reward, expected.score, expected.done, expected.satisfied)
        scores.add(verdict.score)
        assert monitor.facts == {fact: fact in house.facts for fact in monitor.facts}
    trace = goalspec.Trace.from_states(program, states, name="house")
    scored = goalspec.score(program, trace, why=True)[0].to_dict()
    assert monitor.finish("house").to_dict() == plain.finish("house").to_dict() == scored
    assert len(scores) > 3


def test_only_facts_of_the_goal_are_asked_once_per_step() -> None:
    house = House()
    monitor = goalspec.SimulatorMonitor(activity(), house)
    # 3 cups inside, 3 covered, 3 on top, 6 pairs, 2 cooked, 1 open.
    assert len(monitor.facts) == 18 and set(monitor.facts.values()) == {None}
    assert house.calls == []
    for step in range(3):
        house.calls.clear()
        monitor.step()
        assert sorted(house.calls) == sorted(monitor.facts)
        assert monitor.steps == step + 1
    house.calls.clear()
    assert len(monitor.facts) == 18 and monitor.finish().score is not None
    assert house.calls == []


def test_objects_of_the_simulator_take_the_place_of_names() -> None:
    class Shelf:
        is_open = True

    shelf = Shelf()

    class Simulator:
        def get_predicate(self, name: str, /, *objects: Any) -> np.bool_:
            return np.bool_(name == "open" and objects[0].is_open)

    monitor = goalspec.SimulatorMonitor(activity(), Simulator(), objects={"shelf.n.01_1": shelf})
    assert monitor.step().score < 1
    assert monitor.facts["open", "shelf.n.01_1"] is True
    shelf.is_open = False
    monitor.step()
    assert monitor.facts["open", "shelf.n.01_1"] is False
    with pytest.raises(KeyError, match="does not depend on an object `agent.n.01_1`"):
        goalspec.SimulatorMonitor(activity(), Simulator(), objects={"agent.n.01_1": shelf})


class SimulatorError(Exception):
    pass


def test_exceptions_of_the_backend_surface_and_change_nothing() -> None:
    error = SimulatorError("the connection is lost")

    class Failing(House):
        failing = False

        def get_predicate(self, name: str, /, *objects: Any) -> bool:
            if self.failing and name == "nextto":
                raise error
            return super().get_predicate(name, *objects)

    house = Failing()
    monitor = goalspec.SimulatorMonitor(activity(), house)
    monitor.step()
    facts = monitor.facts
    house.failing = True
    house.facts |= {("open", "shelf.n.01_1"), ("inside", "cup.n.01_1", "shelf.n.01_1")}
    with pytest.raises(SimulatorError) as raised:
        monitor.step()
    assert raised.value is error and raised.value.__cause__ is None
    assert (monitor.steps, monitor.facts) == (1, facts)
    house.failing = False
    monitor.step()
    assert monitor.steps == 2 and monitor.facts["open", "shelf.n.01_1"] is True


@pytest.mark.parametrize("value", [None, 1, 0.0, "yes", [True]])
def test_other_values_than_truths_are_refused(value: object) -> None:
    class Odd:
        def get_predicate(self, name: str, /, *objects: Any) -> Any:
            return value if name == "open" else False

    monitor = goalspec.SimulatorMonitor(activity(), Odd())
    with pytest.raises(TypeError, match=r"expected a truth value of get_predicate\('open', 'shelf.n.01_1'\)"):
        monitor.step()
    assert monitor.steps == 0


def test_other_programs_and_backends_are_refused() -> None:
    with pytest.raises(ValueError, match="is not an activity"):
        goalspec.SimulatorMonitor(goalspec.load("@throw-to-bin"), House())
    with pytest.raises(TypeError, match="expected a backend with a method `get_predicate`, found a dict"):
        goalspec.SimulatorMonitor(activity(), {})  # type: ignore[arg-type]
    assert isinstance(House(), goalspec.PredicateBackend) and not isinstance({}, goalspec.PredicateBackend)


def test_episodes_are_independent() -> None:
    house = House(3)
    monitor = goalspec.SimulatorMonitor(activity(), house)
    first = []
    for _ in range(2):
        house.random.seed(5)
        house.facts.clear()
        scores = []
        for _ in range(6):
            house.advance(list(monitor.facts))
            scores.append(monitor.step().score)
        first.append((scores, monitor.finish().to_dict()))
        monitor.reset()
        assert monitor.steps == 0 and set(monitor.facts.values()) == {None}
    assert first[0] == first[1]
