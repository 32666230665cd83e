"""Programs as rewards of Gymnasium environments."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import subprocess
import sys
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, TANK_WORLD

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed: rewards of environments are not tested")

from gym_environments import (  # noqa: E402
    ENDING,
    ENDLESS,
    GARDEN_COLUMNS,
    TANK,
    Switches,
    Tank,
    episode,
    garden,
    play_in_process,
    tank,
    tank_reward,
    wrapped_tank,
)
from gymnasium.utils.env_checker import check_env  # noqa: E402

import goalspec  # noqa: E402
from goalspec.gym import AtariRam, Fields, GoalReward, Grid, OCAtariObjects  # noqa: E402

GARDEN = Fields({column: place for place, column in enumerate(GARDEN_COLUMNS)})


def garden_env(limit: int, ends: float, **options: Any) -> GoalReward:
    return GoalReward(gymnasium.wrappers.TimeLimit(Switches(ends), limit), garden(), GARDEN, **options)


def reward_env(limit: int, ends: float, **options: Any) -> GoalReward:
    return GoalReward(gymnasium.wrappers.TimeLimit(Tank(ends), limit), tank_reward(), TANK, **options)


def scored(program: goalspec.Program, columns: list[str], rows: list[Any]) -> float:
    """Score a recorded episode."""
    recorded = {column: np.array(rows, np.float64)[:, place] for place, column in enumerate(columns)}
    trace = goalspec.Trace.from_columns(program, recorded)
    return float(goalspec.score(program, trace)[0].score)


LANGUAGES = {
    "game": (lambda limit, ends, **options: wrapped_tank(limit, ends, **options), ["tank.level"]),
    "endless game": (lambda limit, ends, **options: wrapped_tank(limit, ends, ENDLESS, **options), ["tank.level"]),
    "activity": (garden_env, GARDEN_COLUMNS),
    "reward function": (reward_env, ["tank.level"]),
}
PROGRAMS = {"game": tank, "endless game": lambda: tank(ENDLESS), "activity": garden, "reward function": tank_reward}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("observe", [None, "dict"])
def test_environments_pass_the_checker_with_the_warning_of_every_wrapper(language: str, observe: str | None) -> None:
    if observe and language == "reward function":
        pytest.skip("a reward function has no state")
    env = LANGUAGES[language][0](30, 0.0, observe=observe)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_env(env, skip_render_check=True)
    messages = [str(warning.message) for warning in caught]
    assert len(messages) == 1 and "is different from the unwrapped version" in messages[0], messages


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("limit", "ends"), [(60, 0.0), (12, 0.0), (200, 0.1), (12, 0.05)])
def test_rewards_of_an_episode_sum_to_the_score_of_the_recording(language: str, limit: int, ends: float) -> None:
    make, columns = LANGUAGES[language]
    env, program = make(limit, ends), PROGRAMS[language]()
    flags = set()
    for seed in range(12):
        generator = np.random.default_rng(seed)
        observation, _ = env.reset(seed=seed)
        rows, total = [observation[: len(columns)]], 0.0
        while True:
            observation, reward, terminated, truncated, info = env.step(generator.integers(0, env.action_space.n))
            rows.append(observation[: len(columns)])
            total += reward
            if terminated or truncated:
                break
        flags.add((terminated, truncated))
        expected = scored(program, columns, rows)
        assert total == pytest.approx(expected, abs=1e-12) if language in ("activity", "reward function") else total == expected
        assert info["goal"]["score"] == pytest.approx(expected, abs=1e-9)
        if language != "reward function":
            assert info["goal"]["counts"]
    assert flags


def test_flags_say_who_ended_the_episode() -> None:
    env = wrapped_tank(50, text=ENDING)
    env.reset(seed=0)
    env.unwrapped.level = 0.0
    flags = []
    for action in [2, 2, 0, 2, 0, 2]:
        *_, terminated, truncated, info = env.step(action)
        flags.append((terminated, truncated))
    assert flags == [(False, False)] * 5 + [(True, False)]
    assert info["goal"]["counts"] == {"filled": 3, "full": 0}
    assert info["goal"]["new"][0][0] == "filled"
    _, reward, terminated, truncated, _ = env.step(0)
    assert reward == 0.0 and terminated
    # A time limit stays a truncation where nothing is paid because of it, and else it is a termination as well.
    for full, expected in ((False, (False, True)), (True, (True, True))):
        env = wrapped_tank(4, text=ENDLESS)
        env.reset(seed=0)
        env.unwrapped.level = 0.0
        for _ in range(4):
            _, reward, terminated, truncated, _ = env.step(2 if full else 1)
        assert (terminated, truncated) == expected
        assert reward == (4.0 if full else 0.0)
    env = wrapped_tank(4, text=ENDLESS, at_truncation="open")
    env.reset(seed=0)
    env.unwrapped.level = 1.0
    assert [env.step(2)[1:4] for _ in range(4)][-1] == (0.0, False, True)
    env = wrapped_tank(3, text=ENDING, terminate=False)
    env.reset(seed=0)
    env.unwrapped.level = 0.0
    assert [env.step(1)[2:4] for _ in range(3)] == [(False, False), (False, False), (False, True)]


def test_a_reward_of_the_first_state_is_paid_with_the_first_step() -> None:
    env = garden_env(9, 0.0)
    env.reset(seed=1)
    env.unwrapped.state[:] = 0
    held = int(env.goal.counts()["1"]) if env.goal.counts() else 0
    reward = env.step(0)[1]
    assert held in (0, 1) and reward == pytest.approx(env.goal.score)


def test_modes_add_and_hide_rewards() -> None:
    actions = [2, 2, 0, 0, 2, 2, 2]
    results: dict[str, list[tuple[float, dict[str, Any]]]] = {}
    for mode, options in (("replace", {}), ("add", {"weight": 2.0}), ("info", {})):
        env = wrapped_tank(50, text=ENDLESS, mode=mode, **options)
        env.reset(seed=4)
        env.unwrapped.level = 0.0
        results[mode] = [(step[1], step[4]) for step in map(env.step, actions)]
    for (own, own_info), (added, added_info), (kept, kept_info) in zip(*results.values(), strict=True):
        assert own_info["goal"]["reward"] == own == kept_info["goal"]["reward"] == added_info["goal"]["reward"]
        assert added == 0.125 + 2.0 * own and kept == 0.125
        assert own_info["env_reward"] == 0.125 and "env_reward" not in kept_info
    assert any(own for own, _ in results["replace"])


def test_the_state_of_the_monitor_is_observed() -> None:
    env = wrapped_tank(20, observe="flat")
    size = env.goal.state_size
    assert env.observation_space.shape == (2 + size,) and env.observation_space.dtype == np.float32
    observation, _ = env.reset(seed=0)
    np.testing.assert_array_equal(observation[2:], env.goal.state())
    before = env.step(2)[0]
    after = env.step(2)[0]
    assert not np.shares_memory(before, after) and env.observation_space.contains(after)
    env = wrapped_tank(20, observe="dict")
    observation, _ = env.reset(seed=0)
    assert set(observation) == {"observation", "goal"} and env.observation_space.contains(observation)
    with pytest.raises(TypeError, match='observe="dict"'):
        GoalReward(Switches(), garden(), GARDEN, observe="flat")


def test_shaping_telescopes() -> None:
    plain, shaped = garden_env(8, 0.0), garden_env(8, 0.0, shaping="progress", gamma=0.5)
    for env in (plain, shaped):
        env.reset(seed=5)
    potential = shaped.goal.potential()
    for action in [0, 1, 2, 3, 4, 0, 1, 2]:
        _, reward, terminated, _, _ = plain.step(action)
        with_shaping = shaped.step(action)
        after = 0.0 if terminated else shaped.goal.potential()
        assert with_shaping[1] == pytest.approx(reward + 0.5 * after - potential)
        assert with_shaping[4]["goal"]["reward"] == reward
        potential = after
    env = wrapped_tank(10, text=ENDLESS, shaping=lambda state: float(state[0]), gamma=1.0)
    env.reset(seed=0)
    level = env.unwrapped.level
    reward = env.step(2)[1]
    assert reward == pytest.approx(min(level + 0.5, 3.0) - level + (1.0 if level == 0.5 else 0.0))


@pytest.mark.parametrize("language", LANGUAGES)
def test_copied_and_pickled_environments_go_on_as_the_original(language: str) -> None:
    env = LANGUAGES[language][0](40, 0.0)
    env.reset(seed=3)
    for action in [2, 2, 0, 0, 2]:
        env.step(action)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        original = copy.deepcopy(env)
        actions = [2, 0, 0, 2, 2, 1, 2, 2]
        assert [original.step(action)[1:4] for action in actions] == [other.step(action)[1:4] for action in actions]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_environments_play_in_other_processes(method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"there is no {method} here")
    env = wrapped_tank(40, text=ENDLESS)
    expected = episode(copy.deepcopy(env), 7)
    context = multiprocessing.get_context(method)
    own, other = context.Pipe()
    process = context.Process(target=play_in_process, args=(other, env, 7))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    assert own.poll(60) and own.recv() == expected
    process.join(30)
    assert process.exitcode == 0 and sum(expected) > 0


def test_environments_travel_by_cloudpickle() -> None:
    cloudpickle = pytest.importorskip("cloudpickle", reason="cloudpickle is not installed: it is not tested")
    make = pickle.loads(cloudpickle.dumps(lambda: wrapped_tank(40, text=ENDLESS)))
    assert episode(make(), 7) == episode(wrapped_tank(40, text=ENDLESS), 7)


@pytest.mark.parametrize("kind", ["DummyVecEnv", "SubprocVecEnv"])
def test_stable_baselines_vectors(kind: str) -> None:
    vec_env = pytest.importorskip(
        "stable_baselines3.common.vec_env", reason="Stable-Baselines3 is not installed: its vectors are not tested"
    )
    envs = getattr(vec_env, kind)([lambda: wrapped_tank(15, text=ENDLESS)] * 2)
    envs.seed(3)
    envs.reset()
    totals, ends = np.zeros(2), 0
    for _ in range(15):
        _, rewards, dones, infos = envs.step(np.array([2, 1]))
        totals += rewards
        ends += int(dones.sum())
    assert ends == 2 and totals[0] == infos[0]["goal"]["score"] and "terminal_observation" in infos[0]
    envs.close()


def test_specs_are_made_again() -> None:
    gymnasium.register("Tank-v0", entry_point=Tank, max_episode_steps=20)
    env = GoalReward(gymnasium.make("Tank-v0"), tank(ENDLESS), TANK, mode="add", weight=0.5)
    again = gymnasium.make(env.spec)
    assert isinstance(again, GoalReward) and episode(again, 3) == episode(env, 3)


def test_wrong_options_are_refused() -> None:
    for options, message in (
        ({"mode": "replaces"}, "unknown value `replaces` for mode"),
        ({"weight": 2.0}, "weight is for the mode `add`"),
        ({"shaping": "progress"}, "shaping and gamma"),
        ({"shaping": "progress", "gamma": 2.0}, "from 0 to 1"),
        ({"shaping": "progress", "gamma": 0.9, "mode": "info"}, "info"),
        ({"observe": "all"}, "unknown value `all` for observe"),
        ({"at_truncation": "shut"}, "at_truncation"),
        ({"columns": ["tank.level"]}, "columns are for callables"),
        ({"world": "atari/pong"}, "world is for reward functions"),
    ):
        with pytest.raises(ValueError, match=message):
            wrapped_tank(**options)
    with pytest.raises(goalspec.RefusedError, match="reward function, and has no state for observe"):
        reward_env(5, 0.0, observe="dict")
    with pytest.raises(goalspec.RefusedError, match="rewards are given by"):
        GoalReward(Tank(), goalspec.load(ROOT / "examples/rgg/berries.yaml"), TANK)
    with pytest.raises(TypeError, match="extractor or a callable"):
        GoalReward(Tank(), tank(), 3)  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="did you mean `level`"):
        GoalReward(Tank(), tank(), Fields({"tank.levle": 0}))
    for key in ("goal", "env_reward"):
        env = GoalReward(Tank(info={key: 1}), tank(), TANK)
        with pytest.raises(ValueError, match=f"the key `{key}`"):
            env.reset(seed=0)


def test_errors_of_reward_functions_are_raised_or_zero() -> None:
    program = tank_reward("def reward_function(objects):\n    return 1.0 / max(0.0, objects[0].level - 1.0)\n")
    env = GoalReward(Tank(), program, TANK, on_error="zero")
    env.reset(seed=0)
    env.step(1)
    env.unwrapped.level = 0.5
    _, reward, _, _, info = env.step(1)
    assert reward == 0.0 and "ZeroDivisionError" in info["goal"]["error"]
    env.unwrapped.level = 3.0
    assert env.step(1)[1] == 0.5
    env = GoalReward(Tank(), program, TANK)
    with pytest.raises(goalspec.RewardError):
        env.reset(seed=0)
        env.unwrapped.level = 0.5
        env.step(1)


def test_callables_extract_numbers_dictionaries_and_objects() -> None:
    rows = GoalReward(Tank(), tank(ENDLESS), lambda env, seen, info: [seen[0]], columns=["tank.level"])
    dictionaries = GoalReward(Tank(), tank(ENDLESS), lambda env, seen, info: {"set": {"tank": {"level": float(seen[0])}}})
    assert episode(rows, 2) == episode(dictionaries, 2) == episode(wrapped_tank(100, text=ENDLESS), 2)


def test_reports_are_outcomes() -> None:
    env = wrapped_tank(6, text=ENDLESS, report=True)
    env.reset(seed=0)
    infos = [env.step(2)[4] for _ in range(6)]
    report = infos[-1]["goal"]["report"]
    assert isinstance(report, goalspec.Outcome) and report.score == infos[-1]["goal"]["score"]
    assert all("report" not in info["goal"] for info in infos[:-1])


def test_fields_are_places_of_observations() -> None:
    fields = Fields({"a": "pos.1", "b": "speed"})
    seen = {"pos": np.array([1.0, 2.0]), "speed": 3}
    assert list(fields(None, seen, {})) == [2.0, 3.0]
    assert list(Fields({"a": 1})(None, (1.0, 5), {})) == [5.0]
    batch = {"pos": np.array([[1.0, 2.0], [3.0, 4.0]]), "speed": np.array([5, 6])}
    where = np.ones(2, np.bool_)
    np.testing.assert_array_equal(fields.batch(None, batch, {}, where), [[2.0, 5.0], [4.0, 6.0]])
    with pytest.raises(KeyError, match="the observation has no place `pos.9`"):
        Fields({"a": "pos.9"})(None, seen, {})
    with pytest.raises(KeyError, match="found the keys pos, speed"):
        Fields({"a": "position"})(None, seen, {})
    with pytest.raises(ValueError, match="one number"):
        Fields({"a": "pos"})(None, seen, {})


def test_grids_are_objects_and_facts() -> None:
    grid = Grid({5: "key", 4: "door", 10: "agent"}, states={"(open door)": ("door", 2, 0)})
    assert grid.columns == [
        "key", "key.x", "key.y", "door", "door.x", "door.y", "agent", "agent.x", "agent.y", "(open door)",
    ]  # fmt: skip
    image = np.zeros((4, 3, 3), np.uint8)
    image[1, 2], image[3, 0], image[0, 1] = (5, 4, 0), (4, 0, 0), (10, 0, 3)
    assert list(grid(None, {"image": image}, {})) == [1, 1, 2, 1, 3, 0, 1, 0, 1, 1]
    image[1, 2], image[3, 0, 2] = 0, 1
    assert list(grid(None, image, {})) == [0, 0, 0, 1, 3, 0, 1, 0, 1, 0]
    with pytest.raises(KeyError, match="dor"):
        Grid({4: "door"}, states={"(open door)": ("dor", 2, 0)})


def test_columns_say_that_objects_are_absent() -> None:
    game = goalspec.loads(
        '(define (game seen) (:domain tank) (:constraints (preference low (exists (?t - tank) (at-end (< (level ?t) 1)))))'
        " (:scoring (count low)))",
        name="seen.game",
        files={"tank.world.toml": TANK_WORLD},
    )
    totals = []
    for present in (0.0, 1.0):
        monitor = goalspec.Monitor(game, columns=["tank", "tank.level"])
        monitor.step([1.0, 5.0])
        totals.append(monitor.step([present, 0.5], last=True).reward)
    assert totals == [0.0, 1.0]
    monitor.reset()
    monitor.step([0.0, np.nan])
    assert monitor.step([1.0, 0.0], last=True).reward == 1.0
    with pytest.raises(goalspec.TraceError, match="column `tank`: expected 0 or 1"):
        monitor.reset()
        monitor.step([0.5, 0.0])


class FakeConsole(gymnasium.Env[Any, Any]):
    """An environment of memory, as one of ale-py with ``obs_type="ram"``: a ball that moves to the right."""

    def __init__(self, as_observation: bool = True) -> None:
        self.observation_space = gymnasium.spaces.Box(0, 255, (128,), np.uint8)
        self.action_space = gymnasium.spaces.Discrete(2)
        self._ram = np.zeros(128, np.uint8)
        if not as_observation:
            self.observation_space = gymnasium.spaces.Box(0, 1, (1,), np.float32)
            self.ale = SimpleNamespace(getRAM=self._ram.copy)
        self._as_observation = as_observation

    def _seen(self) -> Any:
        return self._ram.copy() if self._as_observation else np.zeros(1, np.float32)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._ram[:] = 0
        self._ram[49], self._ram[54], self._ram[51] = 130, 90, 100
        return self._seen(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self._ram[49] += 2
        self._ram[51] += int(action)
        return self._seen(), float(action), self._ram[49] > 190, False, {}


PONG_GAME = """
(define (game meet) (:domain atari/pong)
    (:constraints (and
        (preference right (exists (?b - ball) (then (once (< (x ?b) 100)) (hold (>= (x ?b) 100)) (once (> (x ?b) 120)))))
        (preference scored (then (once (scores))))))
    (:scoring (+ (* 10 (count right)) (count scored))))
"""


@pytest.mark.parametrize("as_observation", [True, False])
def test_memory_of_consoles_is_extracted(as_observation: bool) -> None:
    program = goalspec.loads(PONG_GAME, name="meet.game")[0]
    env = GoalReward(FakeConsole(as_observation), program, AtariRam("Pong"))
    generator = np.random.default_rng(0)
    env.reset(seed=0)
    memory, rewards, actions = [env.unwrapped._ram.copy()], [0.0], [None]
    total = 0.0
    while True:
        action = int(generator.integers(0, 2))
        _, reward, terminated, truncated, info = env.step(action)
        total += reward
        memory.append(env.unwrapped._ram.copy())
        rewards.append(info["env_reward"])
        actions.append(action)
        if terminated or truncated:
            break
    header = '{"format":"goalspec-screens-1","game":"Pong","hud":false}\n'
    lines = [
        f'{{"t":{number},"ep":0,"a":{"null" if action is None else action},"r":{reward},"term":false,"trunc":false,"ram":"{ram.tobytes().hex()}"}}'
        for number, (ram, reward, action) in enumerate(zip(memory, rewards, actions, strict=True))
    ]
    trace = goalspec.Trace.read((header + "\n".join(lines) + "\n").encode(), "atari/pong")
    outcome = goalspec.score(program, trace)[0]
    assert total == outcome.score > 10
    pickled = pickle.loads(pickle.dumps(env))
    assert pickled.extractor.columns == env.extractor.columns
    function = "from ocatari.ram.pong import *\n\ndef reward_function(objects):\n    return sum(o.dx for o in objects if isinstance(o, Ball))\n"
    env = GoalReward(FakeConsole(as_observation), goalspec.loads(function, name="dx.py"), AtariRam("Pong"))
    env.reset(seed=0)
    assert [env.step(0)[1] for _ in range(3)][1:] == [2.0, 2.0]
    with pytest.raises(KeyError, match="unknown game `Pnog`.*did you mean `Pong`"):
        AtariRam("Pnog")


class FakeOCAtari(FakeConsole):
    """An environment with objects, and with its flags in the wrong order, as OCAtari has them."""

    @property
    def objects(self) -> list[Any]:
        ball = SimpleNamespace(category="Ball", x=int(self._ram[49]) - 49, y=76, w=2, h=4, dx=2, dy=0, visible=True)
        player = SimpleNamespace(category="Player", x=140, y=int(self._ram[51]), w=4, h=15, dx=0, dy=0, visible=True)
        return [player, ball, SimpleNamespace(category="NoObject")]

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = super().step(action)
        return observation, reward, truncated, terminated, info


def test_objects_of_ocatari_are_extracted_and_its_flags_exchanged() -> None:
    function = "from ocatari.ram.pong import *\n\ndef reward_function(objects):\n    return sum(o.x for o in objects if isinstance(o, Ball))\n"
    env = GoalReward(FakeOCAtari(), goalspec.loads(function, name="x.py"), OCAtariObjects())
    env.reset(seed=0)
    assert env.step(0)[1] == (130 - 49) + (132 - 49)
    flags = [env.step(0)[2:4] for _ in range(30)]
    assert flags[-1] == (True, False)
    game = GoalReward(FakeOCAtari(), goalspec.loads(PONG_GAME, name="meet.game"), OCAtariObjects("Pong"))
    game.reset(seed=0)
    assert sum(game.step(0)[1] for _ in range(31)) >= 10.0
    with pytest.raises(TypeError, match="attribute `objects`"):
        GoalReward(FakeConsole(), goalspec.loads(function, name="x.py"), OCAtariObjects()).reset(seed=0)


def test_the_package_says_that_gymnasium_is_missing() -> None:
    code = "import sys; sys.modules['gymnasium'] = None\ntry:\n    import goalspec.gym\nexcept ImportError as error:\n    print(error)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'goalspec[gym]'" in done.stdout
