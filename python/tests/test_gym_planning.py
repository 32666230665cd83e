"""Planning problems as environments."""

from __future__ import annotations

import copy
import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: planning environments are not tested")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import goalspec  # noqa: E402
from goalspec.gym import PlanningEnv  # noqa: E402

DOMAIN = """
(define (domain lift) (:requirements :typing :negative-preconditions :fluents)
    (:types floor)
    (:constants b - floor)
    (:predicates (at ?f - floor) (above ?f ?g - floor) (broken) (polished ?f - floor))
    (:functions (total-cost) (power))
    (:action up :parameters (?f ?g - floor) :precondition (and (at ?f) (above ?g ?f) (>= (power) 1) (not (broken)))
        :effect (and (at ?g) (not (at ?f)) (decrease (power) 1) (increase (total-cost) 3)))
    (:action polish :parameters (?f - floor) :precondition (at ?f) :effect (and (polished ?f) (increase (total-cost) 1)))
    (:action break :parameters () :precondition (at b) :effect (and (broken) (not (at b)))))
"""
PROBLEM = """
(define (problem lift-1) (:domain lift) (:objects a c - floor)
    (:init (at a) (above b a) (above c b) (= (total-cost) 0) (= (power) 5))
    (:goal (at c)) (:metric minimize (total-cost)))
"""


def lift(**options: object) -> PlanningEnv:
    return PlanningEnv(PROBLEM, DOMAIN, max_steps=10, **options)  # type: ignore[arg-type]


def test_environments_pass_the_checker_without_a_warning(examples: Path) -> None:
    for env in (PlanningEnv(examples / "pddl/delivery/one_van.pddl", max_steps=30), lift()):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(env, skip_render_check=True)


@pytest.mark.parametrize("problem", ["pddl/delivery/one_van.pddl", "pddl/delivery/two_vans.pddl"])
def test_plans_are_episodes_and_masks_are_what_the_validator_accepts(examples: Path, problem: str) -> None:
    path = examples / problem
    plan = goalspec.plan(path, optimal=True)
    assert plan.steps
    env = PlanningEnv(path, max_steps=100, reward="cost", invalid="raise")
    _, info = env.reset(seed=0)
    cost, taken = 0.0, []
    for step in plan.steps:
        # Each applicable action, and no other one, continues a valid execution.
        for action in np.random.default_rng(len(taken)).permutation(len(env.action_meanings))[:6]:
            validation = goalspec.validate(path, [*taken, env.action_meanings[action]])
            inapplicable = any("not applicable" in found.message or "precondition" in found.message for found in validation.diagnostics)
            assert bool(info["action_mask"][action]) != inapplicable, env.action_meanings[action]
        action = env.action_meanings.index(step)
        assert info["action_mask"][action] == 1
        observation, reward, terminated, truncated, info = env.step(action)
        cost -= reward
        taken.append(step)
    assert terminated and not truncated and env.observation_space.contains(observation)
    assert plan.cost is None or cost == pytest.approx(plan.cost)


def test_all_reachable_actions_exist_also_those_that_do_not_matter() -> None:
    env = lift()
    assert sorted(env.action_meanings) == sorted(["(up a b)", "(up b c)", "(polish a)", "(polish b)", "(polish c)", "(break)"])
    assert {"(polished a)", "(at a)", "(broken)"} <= set(env.fact_names) and env.fluent_names == ["(power)"]
    observation, info = env.reset()
    assert observation["fluents"].tolist() == [5.0]
    assert info["action_mask"].tolist() == [int(name in ("(up a b)", "(polish a)")) for name in env.action_meanings]
    np.testing.assert_array_equal(env.action_masks(), info["action_mask"])


def test_rewards_dead_ends_and_invalid_actions() -> None:
    env = lift(reward="cost")
    number = {name: place for place, name in enumerate(env.action_meanings)}
    env.reset()
    assert env.step(number["(up a b)"])[1] == -3.0
    _, reward, terminated, _, info = env.step(number["(break)"])
    assert (reward, terminated, info["dead_end"]) == (0.0, True, True)
    env = lift()
    env.reset()
    _, reward, terminated, _, info = env.step(number["(up b c)"])
    assert (reward, terminated) == (0.0, False) and info["invalid"]
    env.step(number["(up a b)"])
    assert env.step(number["(up b c)"])[1:4] == (1.0, True, False)
    env = lift(reward="progress")
    env.reset()
    assert [env.step(number[name])[1] for name in ("(up a b)", "(up b c)")] == [0.0, 1.0]
    env = lift(invalid="raise")
    env.reset()
    with pytest.raises(ValueError, match=r"`\(up b c\)` is not applicable"):
        env.step(number["(up b c)"])
    env = lift(invalid="noop")
    env.reset()
    assert "invalid" not in env.step(number["(up b c)"])[4]
    assert [env.step(number["(polish a)"])[3] for _ in range(9)] == [False] * 8 + [True]


def test_copies_go_on_where_the_original_is() -> None:
    env = lift(render_mode="ansi")
    env.reset()
    env.step(env.action_meanings.index("(up a b)"))
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert other.render() == env.render() and "(at b)" in other.render()
        assert other.step(env.action_meanings.index("(up b c)"))[2]
    assert "(= (power) 4)" in env.render()


def test_what_is_no_environment_is_refused(examples: Path) -> None:
    with pytest.raises(goalspec.RefusedError, match="6 actions, which exceeds the limit of 5") as raised:
        lift(max_actions=5)
    assert (raised.value.limit, raised.value.asked) == (5, 6)
    with pytest.raises(ValueError, match="the goal of `lift-1` cannot be reached"):
        PlanningEnv(PROBLEM.replace("(above c b)", ""), DOMAIN, max_steps=5)
    with pytest.raises(ValueError, match="trajectory constraints, preferences"):
        PlanningEnv(examples / "pddl/supper/tonight.pddl", max_steps=5)
    with pytest.raises(ValueError, match="unknown value `x` for reward"):
        lift(reward="x")
    with pytest.raises(ValueError):
        PlanningEnv(examples / "rgg/berries.yaml", max_steps=5)
