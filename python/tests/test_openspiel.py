"""Resource graph games in OpenSpiel, where it is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

from absl import flags  # noqa: E402
from open_spiel.python.algorithms import generate_playthrough  # noqa: E402
from test_petting import CLIMB, GUESS, every_game  # noqa: E402

import goalspec  # noqa: E402
from goalspec import openspiel, petting  # noqa: E402

openspiel.register()
flags.FLAGS.mark_as_parsed()


@every_game
def test_random_plays_pass_the_test_of_open_spiel(path: Path, dialect: str) -> None:
    game = pyspiel.load_game("goalspec", {"path": str(path), "dialect": dialect, "max_turns": 8})
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)


@every_game
def test_playthroughs_are_repeated(path: Path, dialect: str, tmp_path: Path) -> None:
    name = f"goalspec(path={path},dialect={dialect},max_turns=6)"
    text = generate_playthrough.playthrough(name, None, seed=3)
    recorded = tmp_path / "playthrough.txt"
    recorded.write_text(text)
    assert generate_playthrough.replay(str(recorded))[1] == text
    assert "InformationStateString" in text


def value(state: Any) -> float:
    """Return the expected return of the first player if all play at random."""
    if state.is_terminal():
        return float(state.returns()[0])
    if state.is_chance_node():
        return sum(probability * value(state.child(outcome)) for outcome, probability in state.chance_outcomes())
    actions = [action for action in state.legal_actions() if action != 0] or [0]
    return sum(value(state.child(action)) for action in actions) / len(actions)


def test_chance_nodes_have_the_outcomes_of_the_simulator() -> None:
    game = openspiel.game(goalspec.load(CLIMB), max_turns=6)
    exact = goalspec.analyse(CLIMB, policies="masked-random", horizon=6)
    rewards = next(iter(exact["rewards"].values()))
    assert value(game.new_initial_state()) == pytest.approx(rewards["mean"], abs=1e-9)


def test_the_information_state_is_what_the_team_has_observed() -> None:
    game = openspiel.game(goalspec.loads(GUESS, name="guess.yaml"), max_turns=4)
    state = game.new_initial_state()
    state.apply_action(1)
    assert state.is_chance_node() and state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    sides = [state.child(0), state.child(1)]
    assert len({side.information_state_string(1) for side in sides}) == 1
    assert len({side.information_state_string(0) for side in sides}) == 2
    assert [side.legal_actions() for side in sides] == [[0, 2]] * 2
    played = sides[0].clone()
    played.apply_action(2)
    assert "tails" in played.information_state_string(1) and "tails" not in sides[0].information_state_string(1)
    assert played.rewards() == played.returns()


def test_the_returns_are_those_of_the_environment() -> None:
    game = openspiel.game(CLIMB, max_turns=10)
    env = petting.aec_env(CLIMB, max_turns=10)
    for seed in range(5):
        env.reset(seed=seed)
        state, total = game.new_initial_state(), 0.0
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            total += reward
            if terminated or truncated:
                break
            action = state.legal_actions()[-1]
            env.step(action)
            state.apply_action(action)
            if state.is_chance_node():
                expected = env.observe(agent)["observation"].tolist()
                children = [state.child(outcome) for outcome, _ in state.chance_outcomes()]
                state = next(child for child in children if child.observation_tensor(0)[1:] == expected)
        assert state.is_terminal() and state.returns() == [total]


def test_games_with_random_numbers_in_expressions_are_refused() -> None:
    text = GUESS.replace("add: {r.score: 1}", "add: {r.score: {Calculate: 'rand()'}}")
    state = openspiel.game(goalspec.loads(text, name="guess.yaml")).new_initial_state()
    state.apply_action(0)
    with pytest.raises(Exception, match="whose outcomes cannot be listed"):
        state.apply_action(2)
