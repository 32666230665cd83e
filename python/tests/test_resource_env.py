"""Resource graph games in Gymnasium."""

from __future__ import annotations

import copy
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from gymnasium.error import ResetNeeded  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from test_petting import CLIMB, GUESS, MAX_TURNS, draw, every_game  # noqa: E402

import goalspec  # noqa: E402
from goalspec import _core  # noqa: E402
from goalspec.gym import ResourceEnv, ResourceVectorEnv  # noqa: E402

MODES = pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])


@every_game
def test_environments_pass_the_test_of_gymnasium(path: Path, dialect: str) -> None:
    library = goalspec.load(path, dialect=dialect)
    teams = ResourceEnv(library)._game.teams
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Numbers without a declared range have no bounds.
        warnings.filterwarnings("ignore", message=".*A Box observation space (minimum|maximum) value is -?infinity.*")
        warnings.filterwarnings("ignore", message=".*not different from the unwrapped version.*")
        for team in teams:
            check_env(ResourceEnv(library, team, max_turns=MAX_TURNS), skip_render_check=True)


@every_game
def test_the_command_line_repeats_the_episodes_of_a_learner(
    path: Path, dialect: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library = goalspec.load(path, dialect=dialect)
    for team in ResourceEnv(library)._game.teams:
        env = ResourceEnv(library, team, "masked-random", max_turns=MAX_TURNS)
        generator = np.random.default_rng(0)
        for index, seed in enumerate([8, None]):
            observation, info = env.reset(seed=seed)
            assert info == {"game": (8, index)}
            actions, total, ended = [], 0.0, False
            while not ended:
                actions.append(draw(generator, observation["action_mask"]))
                observation, reward, terminated, truncated, _ = env.step(actions[-1])
                total, ended = total + reward, terminated or truncated
            script, trace = tmp_path / "actions.script", tmp_path / "turns.jsonl"
            script.write_text("".join(env.action_meanings[action] + "\n" for action in actions))
            options = ["--seed", "8", "--first-game", str(index), "--games", "1", "--max-turns", str(MAX_TURNS)]
            policies = ["--policy", "masked-random", "--policy", f"{team}=script:{script}"]
            if len(env._game.teams) == 1:
                policies = policies[2:]
            else:
                others = [other for other in env._game.teams if other != team]
                policies = [word for other in others for word in ("--policy", f"{other}=masked-random")] + policies[2:]
            assert _core.run_command(["goalspec", "simulate", *options, *policies, "--trace", str(trace), "--rgg", dialect, str(path)]) == 0
            turns = [json.loads(line) for line in trace.read_text().splitlines()][1:]
            own = [turn for turn in turns[:-1] if turn["team"] == team]
            assert len(own) == len(actions) or (len(own) == 0 and len(actions) == 1)
            assert total == pytest.approx(sum(turn["rewards"][team] for turn in turns[:-1]), rel=1e-9, abs=1e-9)
            assert (turns[-1]["end"] == "completed") == terminated
    capsys.readouterr()


def rows(observations: Any, place: int) -> tuple[list[float], list[int]]:
    return observations["observation"][place].tolist(), observations["action_mask"][place].tolist()


@MODES
@every_game
def test_a_vector_plays_the_games_of_single_environments(path: Path, dialect: str, mode: AutoresetMode) -> None:
    library = goalspec.load(path, dialect=dialect)
    count, turns = 3, 12
    vector = ResourceVectorEnv(library, count, autoreset_mode=mode, max_turns=turns)
    singles = [ResourceEnv(library, max_turns=turns) for _ in range(count)]
    indices = list(range(count))
    observations, infos = vector.reset(seed=6)
    assert infos["game"].tolist() == [[6, index] for index in indices] and infos["_game"].all()

    def begin(place: int) -> dict[str, Any]:
        single = singles[place]
        single._episode = (6, indices[place] - 1)
        return dict(single.reset()[0])

    expected = [begin(place) for place in range(count)]
    ended = [False] * count
    generator = np.random.default_rng(2)
    for _ in range(40):
        for place in range(count):
            assert rows(observations, place) == (expected[place]["observation"].tolist(), expected[place]["action_mask"].tolist())
        actions = np.array([draw(generator, mask) for mask in observations["action_mask"]])
        observations, rewards, terminated, truncated, infos = vector.step(actions)
        began = []
        for place, single in enumerate(singles):
            if ended[place]:
                indices[place] += count
                expected[place], ended[place] = begin(place), False
                began.append(place)
                assert (rewards[place], terminated[place], truncated[place]) == (0, False, False)
                continue
            observation, reward, over, cut, _ = single.step(actions[place])
            assert (rewards[place], terminated[place], truncated[place]) == (reward, over, cut)
            expected[place] = dict(observation)
            if over or cut:
                if mode == AutoresetMode.NEXT_STEP:
                    ended[place] = True
                else:
                    final = infos["final_obs"][place]
                    assert infos["_final_obs"][place]
                    assert all(np.array_equal(final[key], observation[key]) for key in observation)
                    indices[place] += count
                    expected[place] = begin(place)
                    began.append(place)
        if began:
            assert infos["_game"].tolist() == [place in began for place in range(count)]
            assert all(infos["game"][place].tolist() == [6, indices[place]] for place in began)
        else:
            assert "game" not in infos and "final_obs" not in infos
    assert max(indices) >= count, "some games have ended"


@MODES
def test_infos_have_the_form_of_the_vectors_of_gymnasium(mode: AutoresetMode) -> None:
    own = ResourceVectorEnv(CLIMB, 2, autoreset_mode=mode, max_turns=2)
    other = SyncVectorEnv([lambda: ResourceEnv(CLIMB, max_turns=2)] * 2, autoreset_mode=mode)
    assert own.single_observation_space == other.single_observation_space
    assert own.observation_space == other.observation_space and own.action_space == other.action_space
    assert own.metadata["autoreset_mode"] == other.metadata["autoreset_mode"] == mode
    own.reset(seed=[3, 4])
    other.reset(seed=[3, 4])
    for _ in range(8):
        mine, theirs = (vector.step(np.array([1, 2])) for vector in (own, other))
        for key in ("observation", "action_mask"):
            assert np.array_equal(mine[0][key], theirs[0][key]) and mine[0][key].dtype == theirs[0][key].dtype
        for one, another in zip(mine[1:4], theirs[1:4], strict=True):
            assert np.array_equal(one, another) and one.dtype == another.dtype
        assert mine[4].keys() == theirs[4].keys()
        for place in range(2):
            if "final_obs" in mine[4] and mine[4]["_final_obs"][place]:
                final = theirs[4]["final_obs"][place]
                assert all(np.array_equal(mine[4]["final_obs"][place][key], final[key]) for key in final)


def test_results_are_fresh_arrays() -> None:
    vector = ResourceVectorEnv("@berries", 2)
    first, _ = vector.reset(seed=0)
    copied = copy.deepcopy(first)
    second = vector.step(np.zeros(2, np.int64))[0]
    for key in ("observation", "action_mask"):
        assert not np.shares_memory(first[key], second[key]) and np.array_equal(first[key], copied[key])


def test_arguments_are_checked() -> None:
    with pytest.raises(KeyError, match="unknown team 'anna'; expected one of ann, ben"):
        ResourceEnv("@berries", "anna")
    with pytest.raises(ValueError, match="ann learns, and so has no policy"):
        ResourceEnv("@berries", "ann", {"ann": "random"})
    with pytest.raises(ValueError, match="unknown policy"):
        ResourceEnv("@berries", "ann", "greedily")
    with pytest.raises(ValueError, match="at least 1 environment"):
        ResourceVectorEnv("@berries", 0)
    with pytest.raises(ValueError, match="SAME_STEP or NEXT_STEP"):
        ResourceVectorEnv("@berries", 1, autoreset_mode=AutoresetMode.DISABLED)
    with pytest.raises(ResetNeeded):
        ResourceEnv("@berries").step(0)
    vector = ResourceVectorEnv("@berries", 2)
    with pytest.raises(ResetNeeded):
        vector.step(np.zeros(2, np.int64))
    vector.reset(seed=0)
    with pytest.raises(ValueError, match="expected 2 actions"):
        vector.step(np.zeros(3, np.int64))
    with pytest.raises(ValueError, match="from 0 to 4, found 5"):
        vector.step(np.array([0, 5]))
    with pytest.raises(TypeError, match="expected integers"):
        vector.step(np.zeros(2))
    with pytest.raises(ValueError, match="expected 2 seeds"):
        vector.reset(seed=[1])
    with pytest.raises(ValueError, match="expected a seed from 0"):
        vector.reset(seed=-1)


def test_masked_out_actions_raise_where_that_is_asked_for() -> None:
    env = ResourceEnv("@berries", illegal="raise")
    observation, _ = env.reset(seed=0)
    hidden = env.action_meanings.index("gather (ann) target=grove")
    assert observation["action_mask"][hidden] == 0 and not env.action_masks()[hidden]
    with pytest.raises(ValueError, match="target=grove', is masked out"):
        env.step(hidden)
    vector = ResourceVectorEnv("@berries", 2, illegal="raise")
    vector.reset(seed=0)
    with pytest.raises(ValueError, match="is masked out"):
        vector.step(np.array([1, hidden]))
    vector.step(np.array([1, 1]))


def test_a_learner_that_moves_last_is_paid_for_the_turns_before_its_first() -> None:
    text = GUESS.replace("nature: {Constant: 0}", "nature: {Field: r.turn}")
    text = text.replace("red: {Field: r.score}", "red: {Field: r.turn}")
    env = ResourceEnv(goalspec.loads(text, name="guess.yaml"), "red", {"nature": "always:flip"})
    env.reset(seed=0)
    total, ended = 0.0, False
    while not ended:
        _, reward, terminated, truncated, _ = env.step(0)
        total, ended = total + reward, terminated or truncated
    assert (total, terminated) == (11, True)
    # A game that is over before the turn of the learner ends in its first step.
    text = text.replace("{r.turn: {Gte: 11}}", "{r.turn: {Gte: 1}}")
    env = ResourceEnv(goalspec.loads(text, name="guess.yaml"), "red", {"nature": "always:flip"})
    for index in range(2):
        observation, info = env.reset(seed=None if index else 0)
        assert info == {"game": (0, index)} and observation["action_mask"].tolist() == [1, 0, 0]
        assert env.step(0)[1:4] == (1.0, True, False)
    vector = ResourceVectorEnv(goalspec.loads(text, name="guess.yaml"), 2, "red", {"nature": "always:flip"})
    vector.reset(seed=0)
    for _ in range(3):
        _, rewards, terminated_rows, _, infos = vector.step(np.zeros(2, np.int64))
        assert rewards.tolist() == [1, 1] and terminated_rows.all() and infos["_final_obs"].all()


def test_a_game_that_fails_raises_with_its_seed_and_index() -> None:
    text = GUESS.replace("add: {r.score: 1}", "add: {r.score: {Calculate: '{coin.heads} + 1'}}")
    library = goalspec.loads(text, name="guess.yaml")
    vector = ResourceVectorEnv(library, 3, "red", {"nature": "nothing"})
    vector.reset(seed=7)
    with pytest.raises(goalspec.GameError, match="game 1 of seed 7"):
        vector.step(np.array([0, 2, 0]))
    with pytest.raises(ResetNeeded):
        vector.step(np.zeros(3, np.int64))
    vector.reset(seed=7)


def test_a_copy_is_independent() -> None:
    env = ResourceEnv("@berries", max_turns=30)
    env.reset(seed=1)
    other = copy.deepcopy(env)
    mine = [env.step(action)[1] for action in (1, 2, 2)]
    assert mine == [other.step(action)[1] for action in (1, 2, 2)]

