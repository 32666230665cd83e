"""Resource graph games in PettingZoo."""

from __future__ import annotations

import copy
import json
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test  # noqa: E402

import goalspec  # noqa: E402
from goalspec import _core, petting  # noqa: E402

# The games whose results are implemented outside of the file.
CUSTOM = ("MyCustomGame", "SimulationServiceExample")
CLIMB = ROOT / "examples/rgg/climb.yaml"
MAX_TURNS = 60

GUESS = """
metadata: {id: guess}
teams: [nature, red]
board: {nodes: [coin, r]}
resourceSpace:
  coin: {observable: set(nature), heads: false}
  r: {observable: 'set(nature, red)', score: int(0), turn: int(0)}
actionSpace:
  nature: {flip: }
  red: {heads: , tails: }
actions:
  flip:
    cost: {r.turn: 1}
    requires: {}
    consequences:
      - {odds: 0.5, result: {Resources: {put: {coin.heads: true}}}}
      - {odds: 1.0, result: {Resources: {put: {coin.heads: false}}}}
  heads: {cost: {}, requires: {coin.heads: true}, consequences: [{result: {Resources: {add: {r.score: 1}}}}]}
  tails: {cost: {}, requires: {coin.heads: false}, consequences: [{result: {Resources: {add: {r.score: 1}}}}]}
rewards: {nature: {Constant: 0}, red: {Field: r.score}}
completed: {r.turn: {Gte: 11}}
"""


def conformance() -> Path | None:
    """Return the folder of the conformance data: that of ``GOALSPEC_CONFORMANCE``, or the one next to the repository."""
    named = os.environ.get("GOALSPEC_CONFORMANCE")
    folders = [Path(named)] if named else [folder.parent / "shared/conformance" for folder in (ROOT, *ROOT.parents)]
    return next((folder for folder in folders if folder.is_dir()), None)


def games() -> list[Any]:
    """Return the games of this repository, and those of the recordings if they are present, with their dialects."""
    games = [(path, "documented") for path in sorted((ROOT / "examples/rgg").glob("*.yaml"))]
    folder = conformance()
    if folder is None:
        skipped = [pytest.param(None, "", marks=pytest.mark.skip("no conformance data (set GOALSPEC_CONFORMANCE)"), id="recorded")]
    else:
        skipped = []
        games += [(path, "cage") for path in sorted((folder / "rgg/games").glob("*.yaml")) if path.stem not in CUSTOM]
    return [pytest.param(path, dialect, id=path.stem) for path, dialect in games] + skipped


every_game = pytest.mark.parametrize(("path", "dialect"), games())


def loader(path: Path, dialect: str) -> Callable[[], goalspec.Library]:
    library = goalspec.load(path, dialect=dialect)
    return lambda: library


@every_game
def test_environments_pass_the_tests_of_petting_zoo(path: Path, dialect: str) -> None:
    load = loader(path, dialect)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Names of agents are those of the file, observations are dictionaries, and teams have different numbers of actions.
        for message in ("We recommend agents to be named", "Observation is not a NumPy array", "Observation space for", "Agents have different"):
            warnings.filterwarnings("ignore", message=message)
        api_test(petting.aec_env(load(), max_turns=MAX_TURNS), num_cycles=100)
        parallel_api_test(petting.parallel_env(load(), max_turns=MAX_TURNS), num_cycles=100)
        seed_test(lambda: petting.raw_env(load(), max_turns=MAX_TURNS), num_cycles=50)
        parallel_seed_test(lambda: petting.parallel_env(load(), max_turns=MAX_TURNS), num_cycles=50)


def draw(generator: np.random.Generator, mask: np.ndarray[Any, Any]) -> int:
    """Draw a valid action most of the time, and any action otherwise."""
    valid = np.flatnonzero(mask)
    actions = valid if len(valid) and generator.random() < 0.8 else np.arange(len(mask))
    return int(generator.choice(actions))


def play(env: petting.ResourceAECEnv, seed: int | None, draws: int) -> tuple[list[tuple[str, int]], dict[str, float]]:
    """Play a game at random; return its moves, and the sums of the rewards."""
    generator = np.random.default_rng(draws)
    env.reset(seed=seed)
    moves = []
    sums = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        sums[agent] += reward
        action = None
        if not (terminated or truncated):
            assert observation is not None
            action = draw(generator, observation["action_mask"])
            moves.append((agent, action))
        env.step(action)
    return moves, sums


@every_game
def test_the_command_line_repeats_every_episode(path: Path, dialect: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    env = petting.aec_env(goalspec.load(path, dialect=dialect), max_turns=MAX_TURNS)
    for index, seed in enumerate([11, None, None]):
        moves, sums = play(env, seed, index)
        policies = []
        for agent in env.possible_agents:
            texts = env.action_meanings(agent)
            script = tmp_path / f"{agent}.script"
            script.write_text("".join(texts[action] + "\n" for team, action in moves if team == agent))
            policies += ["--policy", f"{agent}=script:{script}"]
        trace = tmp_path / "turns.jsonl"
        game = ["--rgg", dialect, str(path)]
        options = ["--seed", "11", "--first-game", str(index), "--games", "1", "--max-turns", str(MAX_TURNS)]
        assert _core.run_command(["goalspec", "simulate", *options, *policies, "--trace", str(trace), *game]) == 0
        lines = [json.loads(line) for line in trace.read_text().splitlines()]
        turns, end = lines[1:-1], lines[-1]
        assert [turn["team"] for turn in turns] == [agent for agent, _ in moves]
        assert all(turn["drawn"] == 0 for turn in turns)
        for agent in env.possible_agents:
            assert sums[agent] == pytest.approx(sum(turn["rewards"][agent] for turn in turns), rel=1e-9, abs=1e-9)
        assert (end["end"], end["turns"]) == ("completed" if end["turns"] < MAX_TURNS else end["end"], len(moves))
        assert _core.run_command(["goalspec", "replay", *game, str(trace)]) == 0
    capsys.readouterr()


@every_game
def test_both_interfaces_play_the_same_games(path: Path, dialect: str) -> None:
    library = goalspec.load(path, dialect=dialect)
    aec, parallel = petting.aec_env(library, max_turns=MAX_TURNS), petting.parallel_env(library, max_turns=MAX_TURNS)
    generator = np.random.default_rng(4)
    aec.reset(seed=3)
    observations, infos = parallel.reset(seed=3)
    assert infos == aec.infos == {agent: {"game": (3, 0)} for agent in aec.agents}
    while parallel.agents:
        agent = aec.agent_selection
        for other in aec.possible_agents:
            mine, observation = observations[other], aec.observe(other)
            assert all(np.array_equal(mine[key], observation[key]) for key in ("observation", "action_mask"))
            if other != agent:
                assert mine["action_mask"].tolist() == [1] + [0] * (len(mine["action_mask"]) - 1)
        action = draw(generator, observations[agent]["action_mask"])
        aec.step(action)
        # The actions of the others have no effect.
        actions = {other: parallel.action_space(other).n - 1 for other in parallel.agents} | {agent: action}
        observations, rewards, terminations, truncations, _ = parallel.step(actions)
        assert (rewards, terminations, truncations) == (aec.rewards, aec.terminations, aec.truncations)
    assert all(aec.terminations.values()) or all(aec.truncations.values())


def test_observations_and_masks_tell_nothing_of_what_a_team_does_not_see() -> None:
    library = goalspec.loads(GUESS, name="guess.yaml")
    env, truth = petting.aec_env(library), petting.aec_env(library, mask_view="truth")
    seen, masks, sides = set(), set(), set()
    for seed in range(20):
        for each in (env, truth):
            each.reset(seed=seed)
            each.step(1)
        observed = env.observe("red")
        heads = env.observation_names.index("coin.heads")
        seen.add(tuple(observed["observation"].tolist()))
        masks.add(tuple(observed["action_mask"].tolist()))
        sides.add(env.observe("nature")["observation"][heads])
        assert observed["observation"][heads + 1] == 0 and observed["observation"][heads] == 0
        true_mask = truth.observe("red")["action_mask"].tolist()
        assert true_mask == ([1, 1, 0] if env.observe("nature")["observation"][heads] else [1, 0, 1])
    # Red believes what was at the beginning, whichever side the coin shows.
    assert (len(seen), masks, sides) == (1, {(1, 0, 1)}, {0.0, 1.0})


def test_illegal_actions_are_played_or_raise() -> None:
    library = goalspec.loads(GUESS, name="guess.yaml")
    env = petting.aec_env(library)
    env.reset(seed=1)
    env.step(1)
    env.step(1)
    strict = petting.aec_env(library, illegal="raise")
    strict.reset(seed=1)
    strict.step(1)
    with pytest.raises(ValueError, match="the action 1 of red, 'heads', is masked out"):
        strict.step(1)
    strict.step(2)
    parallel = petting.parallel_env(library, illegal="raise")
    parallel.reset(seed=1)
    with pytest.raises(ValueError, match="'heads', is masked out"):
        parallel.step({"nature": 1, "red": 1})
    parallel.step({"nature": 1, "red": 0})
    with pytest.raises(ValueError, match="from 0 to 2, found 3"):
        env.step(1) or env.step(3)
    with pytest.raises(KeyError, match="whose turn it is"):
        parallel.step({"nature": 0})


def test_the_order_of_calls_is_checked() -> None:
    env = petting.aec_env(CLIMB, max_turns=3)
    for attribute in ("agents", "rewards", "terminations", "truncations", "infos", "agent_selection"):
        with pytest.raises(AttributeError, match="cannot be accessed before reset"):
            getattr(env, attribute)
    for call in (lambda: env.step(0), lambda: env.observe("climber"), env.agent_iter):
        with pytest.raises(AssertionError, match="needs to be called before"):
            call()
    with pytest.raises(AssertionError, match="needs to be called before step"):
        petting.parallel_env(CLIMB).step({"climber": 0})
    env.reset(seed=0, options={"unknown": 1})
    with pytest.raises(ValueError, match="expected an action"):
        env.step(None)
    for _ in range(3):
        env.step(2)
    assert env.truncations == {"climber": True} and env.terminations == {"climber": False}
    with pytest.raises(ValueError, match="when an agent is dead, the only valid action is None"):
        env.step(1)
    env.step(None)
    assert env.agents == [] and env.rewards == env.infos == {}
    env.step(None)
    env.reset()
    assert env.infos == {"climber": {"game": (0, 1)}}


def test_spaces_name_what_they_contain() -> None:
    env = petting.aec_env("@berries")
    assert env.possible_agents == ["ann", "ben"]
    assert env.action_meanings("ann")[:3] == ["nothing", "look around", "gather (ann) target=hill"]
    names = env.observation_names
    space = env.observation_space("ann")
    assert space is env.observation_space("ann") and env.action_space("ben") is env.action_space("ben")
    day = names.index("camp.day")
    box = space["observation"]
    assert (names[day + 1], box.low[day], box.high[day], box.dtype) == ("camp.day?", 0, 20, np.float32)
    assert space["action_mask"].dtype == np.int8 and env.action_space("ann").n == len(env.action_meanings("ann"))
    gathered = names.index("camp.ann")
    assert np.isinf(box.high[gathered])
    scaled = petting.aec_env("@berries", scale="range")
    scaled.reset(seed=0)
    assert scaled.observe("ann")["observation"][names.index("hill.berries")] == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("score: int(0)", "score: string(x)", "`r.score` can be any string"),
        ("red: {heads: ,", "red: {heads: {bid: 'float.range(0,1)'},", "`bid` of `heads` .* infinitely many values"),
        ("red: {heads: ,", "red: {heads: {bid: 'int.range(0,65536)'},", "more than 65536 actions .heads: 65537, tails: 1"),
    ],
)
def test_games_without_finite_spaces_are_refused_by_name(old: str, new: str, message: str) -> None:
    text = GUESS.replace(old, new).replace("red: {Field: r.score}", "red: {Field: r.turn}")
    with pytest.raises(goalspec.RefusedError, match=message):
        petting.aec_env(goalspec.loads(text, name="guess.yaml"))


def test_bins_make_parameters_finite() -> None:
    text = GUESS.replace("red: {heads: ,", "red: {heads: {bid: 'float.range(0,1)'},")
    library = goalspec.loads(text, name="guess.yaml")
    env = petting.aec_env(library, bins={"bid": 3})
    assert env.action_meanings("red") == ["nothing", "heads bid=0.0", "heads bid=0.5", "heads bid=1.0", "tails"]
    assert petting.aec_env(library, bins={"bid": [0.25]}).action_meanings("red")[1] == "heads bid=0.25"
    with pytest.raises(ValueError, match="expected one of bid"):
        petting.aec_env(library, bins={"bed": 3})
    with pytest.raises(ValueError, match="bins of `bid`"):
        petting.aec_env(library, bins={"bid": [2.0]})


def test_a_game_that_fails_raises_with_its_seed_and_index() -> None:
    text = GUESS.replace("add: {r.score: 1}", "add: {r.score: {Calculate: '{coin.heads} + 1'}}")
    library = goalspec.loads(text, name="guess.yaml")
    env = petting.aec_env(library)
    env.reset(seed=5)
    env.reset()
    env.step(0)
    with pytest.raises(goalspec.GameError, match="game 1 of seed 5") as raised:
        env.step(2)
    assert (raised.value.seed, raised.value.index) == (5, 1)
    assert env.agents == [] and env.rewards == env.terminations == env.infos == {}
    env.reset()
    assert env.infos["red"] == {"game": (5, 2)}


def test_values_outside_their_ranges_are_reported_and_clipped() -> None:
    text = GUESS.replace("turn: int(0)", "turn: 'int.range(0; 0,2)'")
    library = goalspec.loads(text, name="guess.yaml")
    env, exact = petting.aec_env(library), petting.aec_env(library, clip=False)
    place = env.observation_names.index("r.turn")
    for each in (env, exact):
        each.reset(seed=0)
        for action in (1, 0, 1, 0, 1):
            each.step(action)
    assert env.infos["red"] == {"outside": 1}
    assert env.observe("red")["observation"][place] == 2 and env.observation_space("red")["observation"].high[place] == 2
    assert exact.observe("red")["observation"][place] == 3
    assert np.isinf(exact.observation_space("red")["observation"].high[place])


def test_a_copy_is_independent() -> None:
    env = petting.aec_env("@berries", max_turns=30)
    env.reset(seed=1)
    env.step(1)
    other = copy.deepcopy(env)
    for action in (2, 2, 1):
        env.step(action)
    for action in (2, 2, 1):
        other.step(action)
    assert env.rewards == other.rewards and env.agent_selection == other.agent_selection
    for agent in env.possible_agents:
        assert np.array_equal(env.observe(agent)["observation"], other.observe(agent)["observation"])
    other.step(1)
    assert env.agent_selection != other.agent_selection
