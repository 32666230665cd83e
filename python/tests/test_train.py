"""Runs of training: the alarm, the tables, checkpoints, processes, and the command."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: training is not tested")

from conftest import ROOT  # noqa: E402
from gym_environments import ENDLESS, tank, tank_reward  # noqa: E402

import goalspec  # noqa: E402
from goalspec.train import (  # noqa: E402
    Alarm,
    Config,
    Curve,
    TrainingEnvs,
    draw,
    preset,
    rank_sum_z,
    spearman,
    task_of,
    train_seed,
    train_seeds,
)
from goalspec.train._command import main  # noqa: E402
from goalspec.train._records import COLUMNS, ExponentialMean  # noqa: E402
from goalspec.train._run import make_envs  # noqa: E402

GAIN = """
last = None

def reward_function(objects):
    global last
    level = objects[0].level
    gain = 0.0 if last is None else level - last
    last = level
    return gain
"""
# Repeatable: neither depends on the speed of the machine.
TIMES = ("cpu_s", "steps_per_s")


def config(text: str = GAIN, total: int = 2048, **options: Any) -> Config:
    task = task_of(tank_reward(text), environment="gym_environments:make_tank", fields={"tank.level": 0})
    return Config(task=task, preset=preset("vector"), total=total, **options)


def table(out: Path, name: str = "progress.csv") -> list[dict[str, str]]:
    with (out / name).open(newline="") as file:
        return [{key: value for key, value in row.items() if key not in TIMES} for row in csv.DictReader(file)]


def test_the_rank_sum_statistic_is_that_of_the_published_tables() -> None:
    # Eight above eight: U = 64, mean 32, variance 8 * 8 * 17 / 12.
    assert rank_sum_z(range(8, 16), range(8)) == pytest.approx(32 / np.sqrt(64 * 17 / 12))
    # Eight equal values below eight different ones: the ties reduce the variance.
    assert rank_sum_z(range(1, 9), [0] * 8) == pytest.approx(32 / np.sqrt(64 / 12 * (17 - (512 - 8) / 240)))
    assert rank_sum_z([1] * 8, [1] * 8) == 0.0 and rank_sum_z([1, 2], [1, 2]) == 0.0
    assert spearman([1, 2, 3, 4], [10, 20, 30, 40]) == pytest.approx(1.0)
    assert spearman([1, 2, 3, 4], [9, 7, 7, 1]) == pytest.approx(-0.9486832980505138)
    assert spearman([1, 2, 3], [5, 5, 5]) is None


def fed(derived: list[float], true: list[float] | None, **emas: list[float]) -> Alarm:
    alarm = Alarm([0.1 * number for number in range(8)], None if true is None else [0.0] * 8)
    for place, value in enumerate(derived):
        own = 0.0 if true is None else true[place]
        derived_ema = emas["derived_ema"][place] if "derived_ema" in emas else value
        true_ema = emas["true_ema"][place] if "true_ema" in emas else own
        alarm.add(value, own, derived_ema, true_ema, 0.0)
    return alarm


def test_the_alarm_tells_what_is_learned() -> None:
    rising = [float(number) for number in range(10, 74)]
    flat = [0.0] * 64
    diverging = fed(rising, flat)
    assert diverging.finish() == "diverges" and diverging.raised == ("diverges", 20)
    # Windows as of the uniform policy at first: the comparisons at 20 and 24 are the first two in a row.
    late = fed([0.1 * (number % 8) for number in range(12)] + rising[:20], flat)
    assert late.checks[0].z_derived < 2.5 and late.raised == ("diverges", 24)
    # What is learned later does not take it back.
    assert fed(rising, flat[:30] + rising[:34]).finish() == "diverges"
    assert fed(rising, rising).finish() == "follows" and fed(rising, rising).raised is None
    assert fed(rising, None).finish() == "no true reward"
    noise = np.random.default_rng(0).normal(0.35, 0.2, 64).tolist()
    assert fed(noise, noise).finish() == "not learned"
    opposed = fed(rising, [100.0 - value for value in rising], true_ema=flat)
    assert opposed.finish() == "opposed" and opposed.raised == ("opposed", 32)
    peak = [float(min(number, 40 - number // 2)) for number in range(64)]
    overtaken = fed(rising, [max(value, 1.0) for value in peak], derived_ema=rising, true_ema=peak)
    assert overtaken.raised is not None and overtaken.raised[0] == "overtaken"
    restored = Alarm.restored(json.loads(json.dumps(diverging.state())))
    assert restored.finish() == "diverges" and restored.checks == diverging.checks


def test_exponential_means_have_the_span_of_fifty_episodes() -> None:
    mean = ExponentialMean()
    for value in [1.0, float("nan"), 3.0]:
        mean.add(value)
    assert mean.mean == pytest.approx(1 + 2 * 2 / 51) and mean.deviation > 0


def test_a_run_writes_what_is_documented(tmp_path: Path) -> None:
    result = train_seed(config(total=9 * 1024, evaluation=3), 0, tmp_path)
    rows = table(tmp_path)
    assert list(rows[0]) == [column for column in COLUMNS if column not in TIMES]
    assert [int(row["step"]) for row in rows] == [1024 * number for number in range(1, 10)]
    episodes = table(tmp_path, "episodes.csv")
    assert {int(episode["length"]) for episode in episodes} == {32} and len(episodes) == 9 * 1024 // 32
    # A tank pays 0.125 in each step; the derived return is the level at the end minus that at the start.
    assert {float(episode["true"]) for episode in episodes} == {4.0}
    assert sum(float(episode["derived"]) for episode in episodes) == pytest.approx(sum(float(row["derived"]) for row in rows))
    record = json.loads((tmp_path / "run.json").read_text())
    assert record["program"]["text"] == GAIN and len(record["baseline"]["derived"]) == 8
    assert record["result"]["verdict"] == result.verdict and record["versions"]["numpy"] == np.__version__
    assert result.evaluation is not None and result.evaluation["episodes"] == 3 and result.evaluation["length"] == 32
    svg = (tmp_path / "curves.svg").read_text()
    assert svg.count("<polygon") == 2 and svg.endswith("</svg>\n")
    assert (tmp_path / "report.txt").read_text() == result.report
    curve = Curve.read(tmp_path)
    assert len(curve) == 9 and curve["derived"].sum() == pytest.approx(sum(float(row["derived"]) for row in rows))
    assert "nan" not in draw([curve, curve], "two <runs>") and "two &lt;runs&gt;" in draw([curve], "two <runs>")


def test_equal_seeds_give_equal_tables_and_a_break_changes_nothing(tmp_path: Path) -> None:
    whole, broken, other = tmp_path / "whole", tmp_path / "broken", tmp_path / "other"
    settings = replace(preset("vector").settings, steps=100, normalize_reward=True)
    run = replace(config(total=5000), preset=replace(preset("vector"), settings=settings))
    train_seed(run, 1, whole)
    calls = iter([False, False, True])
    interrupted = train_seed(run, 1, broken, is_stopped=lambda: next(calls))
    assert interrupted.interrupted and interrupted.exit_code == 130
    assert len(table(broken)) < len(table(whole))
    train_seed(run, 1, broken, resume=True)
    for name in ("progress.csv", "episodes.csv"):
        assert table(broken, name) == table(whole, name)
    np.testing.assert_array_equal(
        np.load(whole / "model.npz")["parameters"], np.load(broken / "model.npz")["parameters"]
    )
    train_seed(run, 2, other)
    assert table(other) != table(whole)
    with pytest.raises(FileNotFoundError, match="no checkpoint"):
        train_seed(run, 1, tmp_path / "empty", resume=True)


def test_environments_return_to_where_they_were() -> None:
    task = task_of(tank(ENDLESS), environment="gym_environments:make_tank", fields={"tank.level": 0}, observe="goal")
    one, other = (TrainingEnvs(task, 4, 7, "vector") for _ in range(2))
    generator = np.random.default_rng(0)
    one.reset()
    for step in range(75):
        one.step(generator.integers(0, 3, 4))
        if step % 7 == 3:
            # Episodes of different lengths.
            one.reset(np.array([step % 4 == place for place in range(4)]))
        elif any(len(own) == 32 for own in one.actions):
            one.reset(np.array([len(own) == 32 for own in one.actions]))
    other.restore(one.state())
    assert other.state() == one.state() and len({len(own) for own in one.actions}) > 1
    for _ in range(3):
        actions = generator.integers(0, 3, 4)
        for left, right in zip(one.step(actions)[:4], other.step(actions)[:4], strict=True):
            np.testing.assert_array_equal(left, right)


def test_workers_give_what_one_process_gives() -> None:
    run = config()
    alone, divided = make_envs(run, 3), make_envs(replace(run, workers=2), 3)
    try:
        assert divided.single_observation_space == alone.single_observation_space
        assert divided.action_meanings() == alone.action_meanings()
        np.testing.assert_array_equal(alone.reset()[0], divided.reset()[0])
        generator = np.random.default_rng(0)
        for step in range(40):
            actions = generator.integers(0, 3, 8)
            left, right = alone.step(actions), divided.step(actions)
            for one, other in zip(left[:4], right[:4], strict=True):
                np.testing.assert_array_equal(one, other)
            np.testing.assert_array_equal(left[4]["env_reward"], right[4]["env_reward"])
            ended = left[2] | left[3]
            if step == 10:
                ended = np.arange(8) < 3
            if ended.any():
                np.testing.assert_array_equal(alone.reset(ended)[0][ended], divided.reset(ended)[0][ended])
        assert alone.state() == divided.state()
        divided.restore(alone.state())
        assert alone.state() == divided.state()
    finally:
        alone.close()
        divided.close()


def test_several_seeds_run_in_processes(tmp_path: Path) -> None:
    shown: list[int] = []
    results = train_seeds(config(), [0, 1], tmp_path, jobs=2, progress=lambda seed, row: shown.append(seed))
    assert [result.seed for result in results] == [0, 1] and sorted(shown) == [0, 0, 1, 1]
    assert (tmp_path / "curves.svg").exists() and set(json.loads((tmp_path / "run.json").read_text())["seeds"]) == {"0", "1"}
    train_seed(config(), 0, tmp_path / "alone")
    assert table(tmp_path / "alone") == table(tmp_path / "seed-0")
    with pytest.raises(goalspec.GoalspecError, match="ModuleNotFoundError|cannot be imported"):
        train_seeds(replace(config(), task=replace(config().task, environment="nowhere:make")), [0], tmp_path / "x")


def test_a_program_that_raises_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(goalspec.RewardError, match="no reward for"):
        train_seed(config("def reward_function(objects):\n    return 1 / 0\n"), 0, tmp_path)


def write_program(folder: Path) -> Path:
    from conftest import TANK_WORLD

    (folder / "tank.world.toml").write_text(TANK_WORLD)
    (folder / "gain.py").write_text(GAIN)
    return folder / "gain.py"


def command(folder: Path, *arguments: str) -> list[str]:
    program = str(folder / "gain.py")
    own = ["--env", "gym_environments:make_tank", "--columns", "tank.level=0", "--world", str(folder / "tank.world.toml")]
    return [program, *own, *arguments]


def test_the_command_trains_and_its_exit_code_is_the_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_program(tmp_path)
    out = tmp_path / "out"
    arguments = command(tmp_path, "--steps", "25600", "--stop-on-alarm", "--out", str(out))
    assert main(arguments) == 3
    shown = capsys.readouterr()
    assert "alarm `diverges` at 20,480 agent steps" in shown.out and "nearly always takes the same action" in shown.out
    assert "against the uniform policy" in shown.err and len(table(out)) == 20
    assert main(arguments) == 1 and "continue it with --resume" in capsys.readouterr().err
    assert main(command(tmp_path, "--steps", "1024", "--no-true-reward", "--out", str(tmp_path / "b"))) in (0, 4)
    assert "no true reward is known" in capsys.readouterr().out


def test_wrong_arguments_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_program(tmp_path)
    for arguments, message in (
        ([str(tmp_path / "gain.py"), "--world", str(tmp_path / "tank.world.toml")], "name an environment with --env"),
        (command(tmp_path, "--columns", "tank.level"), "expected NAME=PLACE"),
        (command(tmp_path, "--preset", "atari-cnn"), "is for the back ends sb3"),
        ([str(ROOT / "examples/rgg/berries.yaml")], "rewards are given by games"),
        ([str(tmp_path / "nothing.py")], "nothing.py"),
    ):
        assert main(arguments) == 1
        assert message in capsys.readouterr().err
    for arguments in (["--help"], ["x.py", "--steps", "0"], ["x.py", "--preset", "y"]):
        with pytest.raises(SystemExit) as raised:
            main(arguments)
        assert raised.value.code == (0 if arguments == ["--help"] else 2)
    assert "examples:" in capsys.readouterr().out


def test_the_wheel_has_the_command(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "goalspec", "train", "--help"], capture_output=True, text=True, check=True)
    assert "goalspec train reward.py --seeds 3" in done.stdout and "exit codes:" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals of terminals are those of Unix")
def test_an_interrupted_run_continues(tmp_path: Path) -> None:
    write_program(tmp_path)
    arguments = command(tmp_path, "--steps", "900000", "--out", str(tmp_path / "out"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path])}
    process = subprocess.Popen([sys.executable, "-m", "goalspec", "train", *arguments], env=environment, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    while "steps, episodes" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert (tmp_path / "out/checkpoint.pkl").exists()
    done = len(table(tmp_path / "out"))
    assert main([*command(tmp_path, "--steps", str((done + 2) * 1024), "--out", str(tmp_path / "out"), "--resume", "--quiet")]) in (0, 3, 4)
    assert len(table(tmp_path / "out")) == done + 2
