"""Programs as rewards of many environments, in the three modes of autoreset."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed: rewards of environments are not tested")

from gym_environments import ENDING, ENDLESS, GARDEN_COLUMNS, TANK, Switches, Tank, garden, tank, tank_reward  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

import goalspec  # noqa: E402
from goalspec.gym import AtariRam, Fields, GoalReward, VectorGoalReward  # noqa: E402

GARDEN = Fields({column: place for place, column in enumerate(GARDEN_COLUMNS)})
COUNT = 5


def vector(kind: Any, limit: int, ends: float, mode: AutoresetMode) -> Any:
    return SyncVectorEnv([lambda: gymnasium.wrappers.TimeLimit(kind(ends), limit)] * COUNT, autoreset_mode=mode)


CASES: dict[str, tuple[Any, Any, Any, list[str]]] = {
    "game": (Tank, lambda: tank(ENDING), TANK, ["tank.level"]),
    "endless game": (Tank, lambda: tank(ENDLESS), TANK, ["tank.level"]),
    "activity": (Switches, garden, GARDEN, GARDEN_COLUMNS),
    "reward function": (Tank, tank_reward, TANK, ["tank.level"]),
}


def scored(program: goalspec.Program, columns: list[str], rows: list[Any]) -> float:
    recorded = {column: np.array(rows, np.float64)[:, place] for place, column in enumerate(columns)}
    return float(goalspec.score(program, goalspec.Trace.from_columns(program, recorded))[0].score)


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("limit", "ends"), [(9, 0.0), (60, 0.15), (9, 0.08)])
def test_rewards_of_episodes_sum_to_the_scores_of_the_recordings(
    mode: AutoresetMode, case: str, limit: int, ends: float
) -> None:
    kind, make_program, extractor, columns = CASES[case]
    program, width = make_program(), len(columns)
    ends_itself = mode == AutoresetMode.DISABLED
    envs = VectorGoalReward(vector(kind, limit, ends, mode), program, extractor, terminate=ends_itself)
    generator = np.random.default_rng(1)
    observations, _ = envs.reset(seed=3)
    rows = [[seen[:width].copy()] for seen in observations]
    totals, episodes = np.zeros(COUNT), 0
    began = np.zeros(COUNT, np.bool_)
    for _ in range(60):
        observations, rewards, terminated, truncated, infos = envs.step(generator.integers(0, kind().action_space.n, COUNT))
        ended = terminated | truncated
        assert not rewards[began].any() and not infos["_goal"][began].any() and infos["_goal"][~began].all()
        for place in range(COUNT):
            seen = observations[place]
            if mode == AutoresetMode.SAME_STEP and ended[place]:
                seen = infos["final_obs"][place]
            if began[place]:
                rows[place] = []
            rows[place].append(seen[:width].copy())
            totals[place] += rewards[place]
            if ended[place]:
                episodes += 1
                expected = scored(program, columns, rows[place])
                assert totals[place] == pytest.approx(expected, abs=1e-12)
                if case in ("game", "endless game"):
                    assert totals[place] == expected
                    counts = infos["goal"]["counts"]
                    assert counts["_filled"][place] and counts["filled"][place] + 4 * counts["full"][place] == expected
                rows[place] = [observations[place][:width].copy()] if mode == AutoresetMode.SAME_STEP else []
                totals[place] = 0.0
        began = ended & (mode == AutoresetMode.NEXT_STEP)
        if mode == AutoresetMode.DISABLED and ended.any():
            options = {"reset_mask": ended.copy()}
            observations, _ = envs.reset(options=options)
            for place in np.flatnonzero(ended):
                rows[place] = [observations[place][:width].copy()]
    assert episodes >= COUNT


def test_environments_in_a_vector_equal_single_ones() -> None:
    for observe in (None, "flat", "dict"):
        envs = VectorGoalReward(
            vector(Tank, 12, 0.0, AutoresetMode.DISABLED), tank(ENDING), TANK, observe=observe, shaping="progress", gamma=0.9
        )
        singles = [
            GoalReward(gymnasium.wrappers.TimeLimit(Tank(), 12), tank(ENDING), TANK, observe=observe, shaping="progress", gamma=0.9)
            for _ in range(COUNT)
        ]
        assert envs.single_observation_space == singles[0].observation_space
        observations, _ = envs.reset(seed=list(range(COUNT)))
        assert envs.observation_space.contains(observations)
        for place, single in enumerate(singles):
            single.reset(seed=place)
        alive = np.ones(COUNT, np.bool_)
        for step in range(12):
            actions = (np.arange(COUNT) + step) % 3
            if not alive.all():
                break
            observations, rewards, terminated, truncated, infos = envs.step(actions)
            for place, single in enumerate(singles):
                seen, reward, ended, cut, info = single.step(actions[place])
                assert (rewards[place], terminated[place], truncated[place]) == (reward, ended, cut)
                assert infos["goal"]["reward"][place] == info["goal"]["reward"]
                if observe == "flat":
                    np.testing.assert_array_equal(observations[place], seen)
                elif observe == "dict":
                    np.testing.assert_array_equal(observations["goal"][place], seen["goal"])
            alive &= ~(terminated | truncated)


def test_last_observations_have_the_last_state_of_the_monitor() -> None:
    envs = VectorGoalReward(
        vector(Switches, 4, 0.0, AutoresetMode.SAME_STEP), garden(), GARDEN, observe="dict", terminate=False
    )
    envs.reset(seed=0)
    for step in range(4):
        observations, _, _, truncated, infos = envs.step(np.full(COUNT, step))
    assert truncated.all()
    for place in range(COUNT):
        final = infos["final_obs"][place]
        assert set(final) == {"observation", "goal"}
        assert final["goal"][0] == np.float32(infos["goal"]["score"][place])
    assert envs.observation_space.contains(observations)


def test_arrays_are_fresh() -> None:
    envs = VectorGoalReward(vector(Tank, 50, 0.0, AutoresetMode.NEXT_STEP), tank(ENDLESS), TANK, terminate=False)
    envs.reset(seed=0)
    first, second = envs.step(np.full(COUNT, 2)), envs.step(np.full(COUNT, 2))
    for one, other in zip(first[:4], second[:4], strict=True):
        assert not np.shares_memory(one, other)
    assert first[4]["goal"] is not second[4]["goal"]
    assert not np.shares_memory(first[4]["goal"]["score"], second[4]["goal"]["score"])
    assert not np.shares_memory(second[1], second[4]["goal"]["reward"])


def test_what_a_mode_cannot_do_is_refused() -> None:
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        with pytest.raises(ValueError, match="may end episodes itself.*terminate=False"):
            VectorGoalReward(vector(Tank, 9, 0.0, mode), tank(ENDING), TANK)
    VectorGoalReward(vector(Tank, 9, 0.0, AutoresetMode.NEXT_STEP), tank_reward(), TANK)
    envs = vector(Tank, 9, 0.0, AutoresetMode.SAME_STEP)
    with pytest.raises(ValueError, match="reads the environment itself"):
        pong = "from ocatari.ram.pong import *\n\ndef reward_function(objects):\n    return 0.0\n"
        VectorGoalReward(envs, goalspec.loads(pong, name="pong.py"), AtariRam("Pong"))
    del envs.metadata["autoreset_mode"]
    with pytest.raises(TypeError, match="autoreset_mode"):
        VectorGoalReward(envs, tank_reward(), TANK)
    with pytest.raises(ValueError, match="extractor with columns"):
        VectorGoalReward(vector(Tank, 9, 0.0, AutoresetMode.DISABLED), tank(ENDING), lambda env, seen, info: {})


def test_errors_are_zero_where_they_occur() -> None:
    program = tank_reward("def reward_function(objects):\n    return 1.0 / max(0.0, objects[0].level - 1.0)\n")
    envs = VectorGoalReward(vector(Tank, 50, 0.0, AutoresetMode.NEXT_STEP), program, TANK, on_error="zero")
    envs.reset(seed=0)
    envs.step(np.ones(COUNT, np.int64))
    for place, env in enumerate(envs.env.envs):
        env.unwrapped.level = 0.0 if place == 2 else 3.0
    _, rewards, _, _, infos = envs.step(np.ones(COUNT, np.int64))
    assert rewards[2] == 0.0 and infos["goal"]["_error"].tolist() == [place == 2 for place in range(COUNT)]
    assert "ZeroDivisionError" in infos["goal"]["error"][2]
    envs = VectorGoalReward(vector(Tank, 50, 0.0, AutoresetMode.NEXT_STEP), program, TANK)
    with pytest.raises(goalspec.RewardError):
        envs.reset(seed=0)
        for env in envs.env.envs:
            env.unwrapped.level = 0.0
        envs.step(np.ones(COUNT, np.int64))
