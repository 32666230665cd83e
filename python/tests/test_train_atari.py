"""Training on Atari games: a reward that is meant as it is, and one that is not."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: training is not tested")
pytest.importorskip("ale_py", reason="ale-py is not installed: training on Atari games is not tested")

import goalspec  # noqa: E402
from goalspec.train import Config, TrainingEnvs, preset, task_of, train_seed  # noqa: E402
from goalspec.train._run import make_envs  # noqa: E402

PUBLISHED = ROOT.parent / "shared/conformance/reward/programs/l09_freeway_full.py"

trains_for_a_minute = pytest.mark.skipif(
    "GOALSPEC_TRAINING" not in os.environ, reason="training of a minute is tested with the variable GOALSPEC_TRAINING"
)


def config(program: Path, total: int, **options: Any) -> Config:
    return Config(task=task_of(str(program)), preset=preset("vector"), total=total, **options)


def test_object_vectors_have_the_moving_parts_of_the_screen() -> None:
    for program, count in (("climb.py", 22), ("track.py", 9)):
        envs = TrainingEnvs(task_of(str(ROOT / "examples/training" / program)), 1, 0, "vector")
        observation, _ = envs.reset()
        assert observation.shape == (1, count) and len(envs.observation_names()) == count
        assert envs.single_observation_space.contains(observation[0])
        is_motion = np.array([name.endswith((".dx", ".dy")) for name in envs.observation_names()])
        assert not observation[0, is_motion].any()
        for _ in range(30):
            before = observation
            observation = envs.step([1])[0]
            assert envs.single_observation_space.contains(observation[0])
        if program == "climb.py":
            # Up: the row falls by as much as the motion says.
            assert (observation[0, 0] - before[0, 0]) * 210 == pytest.approx(observation[0, 1] * 16, abs=1e-4)
        envs.close()


def test_what_is_recorded_scores_what_was_learned(tmp_path: Path) -> None:
    result = train_seed(config(ROOT / "examples/training/shelter.py", 1024), 0, tmp_path)
    assert (tmp_path / "audit.txt").exists() and "audit of its own episodes" in result.report
    trace = goalspec.Trace.read((tmp_path / "baseline.jsonl.gz").read_bytes(), "atari/freeway")
    # The first frames of the episodes, and eight windows.
    assert len(trace) == 8 * 1024
    (row,) = (tmp_path / "progress.csv").read_text().splitlines()[1:]
    outcome = goalspec.score(ROOT / "examples/training/shelter.py", tmp_path / "trained.jsonl.gz")[0]
    assert outcome.states >= 1024 and float(row.split(",")[1]) == pytest.approx(outcome.score, rel=0.05)


def test_workers_record_the_frames_of_one_process() -> None:
    run = config(ROOT / "examples/training/shelter.py", 1024)
    frames = []
    for workers in (1, 2):
        envs = make_envs(replace(run, workers=workers, num_envs=2), 3)
        try:
            envs.reset()
            rams = []
            for _ in range(20):
                envs.step(np.ones(2, np.int64))
                rams.append(envs.rams())
        finally:
            envs.close()
        frames.append(np.stack(rams))  # type: ignore[arg-type]
    np.testing.assert_array_equal(*frames)
    assert (frames[0][0] != frames[0][-1]).any()


@trains_for_a_minute
def test_a_repaired_reward_is_learned_as_it_is_meant(tmp_path: Path) -> None:
    result = train_seed(config(ROOT / "examples/training/climb.py", 32_768), 0, tmp_path)
    assert result.score >= 18.0 and result.verdict == "follows" and result.alarm is None


@trains_for_a_minute
def test_the_published_reward_diverges(tmp_path: Path) -> None:
    if not PUBLISHED.exists():
        pytest.skip(f"{PUBLISHED} is not there: training on the published program is not tested")
    result = train_seed(config(PUBLISHED, 24_576), 0, tmp_path)
    assert result.verdict == "diverges" and result.alarm == ("diverges", 24_576) and result.score == 0.0
    assert any("stand still" in line for line in result.habits)
