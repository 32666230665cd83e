"""Runs: one seed of training, from the baseline to the report."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import math
import os
import pickle
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from goalspec._audits import audit
from goalspec._errors import GoalspecError
from goalspec.train._alarm import ALARMS, COMPARED, EXIT_CODES, WINDOW, Alarm
from goalspec.train._curves import Curve, draw
from goalspec.train._environments import Task, TrainingEnvs, is_atari
from goalspec.train._presets import Preset
from goalspec.train._records import (
    COLUMNS,
    EPISODE_COLUMNS,
    Recorder,
    habit_lines,
    progress_row,
    write_csv,
)
from goalspec.train._workers import WorkerEnvs
from goalspec.train.quick import Learner

_CHECKPOINT = "checkpoint.pkl"
_EVALUATION = 1_000_000
"""The number of the first environment of an evaluation, whose episodes have other seeds than those of training."""
_CHECKPOINT_WINDOWS = 16

AfterWindows = Callable[[list[dict[str, Any]]], bool]
"""Called with the rows of the windows that ended; returns whether training ends."""


@dataclass(frozen=True)
class Config:
    """The configuration of a run."""

    task: Task
    preset: Preset
    backend: str = "quick"
    total: int = 100_000
    """Agent steps, all environments together."""
    num_envs: int = 8
    workers: int = 1
    """Processes for the environments of one seed."""
    evaluation: int = 0
    """Episodes that are played with the most probable actions after training."""
    stop_on_alarm: bool = False
    tensorboard: bool = False
    command: str = ""
    """The command line, for ``run.json``."""


@dataclass
class Result:
    """The result of training with one seed."""

    seed: int
    verdict: str
    steps: int
    alarm: tuple[str, int] | None
    """The first alarm, and its agent step."""
    score: float
    """The mean true return of the last 8 episodes; NaN if there are none."""
    derived: float
    """The mean derived return of the last 8 episodes."""
    habits: list[str]
    evaluation: dict[str, float] | None
    interrupted: bool
    report: str

    @property
    def exit_code(self) -> int:
        """The exit code of ``goalspec train``."""
        return 130 if self.interrupted else EXIT_CODES[self.verdict]


def make_envs(config: Config, seed: int, first: int = 0, count: int | None = None) -> TrainingEnvs | WorkerEnvs:
    """Make the environments of a seed."""
    number = config.num_envs if count is None else count
    if config.workers > 1 and count is None:
        return WorkerEnvs(config.task, number, seed, config.preset.observation, config.workers)
    return TrainingEnvs(config.task, number, seed, config.preset.observation, first)


class QuickRun:
    """Training with the back end ``quick``."""

    def __init__(self, config: Config, seed: int, out: Path) -> None:
        self.config, self.seed, self.out = config, seed, out
        self.envs = make_envs(config, seed)
        self.learner = Learner(self.envs, config.preset.settings, seed, self._reset)
        names = self.envs.observation_names()
        self.recorder = Recorder(config.num_envs, self.envs.action_meanings(), names)
        self.rows: list[dict[str, Any]] = []
        self.alarm = Alarm([], None)
        self.baseline: dict[str, Any] = {}
        self._cpu, self._wall, self._elapsed_cpu = 0.0, 0.0, 0.0

    def _reset(self, where: npt.NDArray[np.bool_] | None) -> tuple[Any, Any]:
        observations, infos = self.envs.reset(where)
        mask = np.ones(self.config.num_envs, np.bool_) if where is None else where
        self.recorder.begin(self.envs.rams(), mask)
        return observations, infos

    def begin(self) -> None:
        """Measure the baseline, and reset the environments for training."""
        self.baseline = measure_baseline(self.envs, self.config, self.seed, self.out)
        self.alarm = Alarm(self.baseline["derived"], self.baseline["true"])
        self.learner.begin()
        write_run_json(self.config, self.seed, self.out, self.baseline)

    def train(self, after_windows: AfterWindows) -> None:
        """Train until the total is reached, or ``after_windows`` says to end."""
        while self.recorder.step < self.config.total:
            if after_windows(self.advance()):
                return

    def advance(self) -> list[dict[str, Any]]:
        """Collect and learn once; return the rows of the windows that ended."""
        self._cpu, self._wall = cpu_seconds(), time.perf_counter()
        before = self.recorder.step
        batch, values, returns = self.learner.collect(self._observe)
        update = self.learner.update(batch, self.recorder.step / max(self.config.total, 1))
        spread = returns.var()
        update["explained_variance"] = float(1 - (returns - values).var() / spread) if spread > 0 else math.nan
        wall, cpu = time.perf_counter() - self._wall, cpu_seconds() - self._cpu
        self._elapsed_cpu += cpu
        update |= {"cpu_s": round(self._elapsed_cpu, 3), "steps_per_s": round((self.recorder.step - before) / max(wall, 1e-9), 1)}
        added = add_windows(self.recorder, self.alarm, update, self.baseline["true_return"])
        self.rows += added
        return added

    def _observe(
        self, actions: Any, observations: Any, rewards: Any, terminated: Any, truncated: Any, infos: dict[str, Any]
    ) -> None:
        self.recorder.observe(actions, observations, rewards, terminated, truncated, infos, self.envs.rams())

    def save(self) -> None:
        """Write the tables, the model, and a checkpoint from which ``resume`` continues."""
        write_tables(self.out, self.rows, self.recorder)
        settings = self.config.preset.settings
        np.savez(self.out / "model.npz", parameters=self.learner.parameters, hidden=settings.hidden, actions=self.learner.action_count)
        state = {
            "learner": self.learner.state(),
            "envs": self.envs.state(),
            "recorder": self.recorder.state(),
            "alarm": self.alarm.state(),
            "rows": self.rows,
            "baseline": self.baseline,
            "cpu": self._elapsed_cpu,
            "total": self.config.total,
        }
        temporary = self.out / (_CHECKPOINT + ".tmp")
        temporary.write_bytes(pickle.dumps(state))
        temporary.replace(self.out / _CHECKPOINT)

    def resume(self) -> None:
        """Continue from the checkpoint in the folder."""
        path = self.out / _CHECKPOINT
        if not path.exists():
            raise FileNotFoundError(f"there is no checkpoint in {self.out}")
        state = pickle.loads(path.read_bytes())
        self.learner.restore(state["learner"])
        self.recorder.restore(state["recorder"])
        self.alarm = Alarm.restored(state["alarm"])
        self.rows, self.baseline = state["rows"], state["baseline"]
        self._elapsed_cpu = state["cpu"]
        observations, infos = self.envs.restore(state["envs"])
        self.learner.see(observations, infos)

    def evaluate(self, episodes: int) -> dict[str, float]:
        """Play episodes with the most probable actions, with seeds that training has not seen."""
        count = min(episodes, self.config.num_envs)
        envs = TrainingEnvs(self.config.task, count, self.seed, self.config.preset.observation, _EVALUATION)
        try:
            return play(envs, episodes, lambda seen, masks: self.learner.act(seen, masks, greedy=True)[0])
        finally:
            envs.close()


def measure_baseline(envs: Any, config: Config, seed: int, out: Path) -> dict[str, Any]:
    """Play windows of the uniform policy, with which those of training are compared; return them as values for JSON."""
    count, actions = config.num_envs, int(envs.single_action_space.n)
    recorder = Recorder(count, envs.action_meanings(), envs.observation_names())
    generator = np.random.default_rng((seed, 1))
    _, infos = envs.reset(None)
    recorder.begin(envs.rams(), np.ones(count, np.bool_))
    while len(recorder.closed) < COMPARED:
        chosen = _uniform(generator, infos.get("action_mask"), count, actions)
        observations, rewards, terminated, truncated, infos = envs.step(chosen)
        recorder.observe(chosen, observations, rewards, terminated, truncated, infos, envs.rams())
        ended = terminated | truncated
        if ended.any():
            _, first_infos = envs.reset(ended)
            recorder.begin(envs.rams(), ended)
            infos = _merged_masks(infos, first_infos, ended)
    windows = recorder.closed[:COMPARED]
    true = [window.true for window in windows]
    has_true = config.task.has_true_reward and all(map(math.isfinite, true))
    recorder.write_frames(out / "baseline.jsonl.gz", game_of(config.task), "uniform")
    return {
        "derived": [window.derived for window in windows],
        "true": true if has_true else None,
        "derived_return": recorder.derived_ema.mean,
        "true_return": recorder.true_ema.mean,
        "habits": recorder.recent_habits(),
    }


def play(envs: TrainingEnvs, episodes: int, choose: Callable[..., Any]) -> dict[str, float]:
    """Play episodes; return the mean of their returns and of their lengths.

    Each environment plays the same number of episodes or one more, so that short episodes are not preferred.
    """
    count = envs.num_envs
    quota = np.full(count, episodes // count) + (np.arange(count) < episodes % count)
    returns, lengths, finished = np.zeros((2, count)), np.zeros(count), []
    observations, infos = envs.reset(None)
    while quota.any():
        masks = infos.get("action_mask")
        actions = choose(np.asarray(observations, np.float32), None if masks is None else np.asarray(masks, np.bool_))
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        returns += np.stack([rewards, infos.get("env_reward", np.full(count, np.nan))])
        lengths += 1
        ended = terminated | truncated
        for place in np.flatnonzero(ended):
            if quota[place]:
                finished.append((*returns[:, place], lengths[place]))
                quota[place] -= 1
        if ended.any():
            returns[:, ended], lengths[ended] = 0.0, 0.0
            first, first_infos = envs.reset(ended)
            observations = np.where(ended[:, None], first, observations)
            infos = _merged_masks(infos, first_infos, ended)
    derived, true, length = np.mean(finished, axis=0).tolist()
    return {"episodes": len(finished), "derived": derived, "true": true, "length": length}


def add_windows(
    recorder: Recorder, alarm: Alarm, update: dict[str, float], base_return: float | None
) -> list[dict[str, Any]]:
    """Give the windows that ended to the alarm; return their rows."""
    rows = []
    for window in recorder.closed:
        if base_return is None and alarm.baseline_true is not None and recorder.episodes:
            # No episode of the uniform policy has ended: its reward of a step, times the steps of an episode.
            length = float(np.mean([episode[4] for episode in recorder.episodes]))
            base_return = float(np.mean(alarm.baseline_true)) / WINDOW * length
        alarm.add(window.derived, window.true, recorder.derived_ema.mean, recorder.true_ema.mean, base_return)
        rows.append(progress_row(window, recorder, update, alarm))
    recorder.closed.clear()
    return rows


def _uniform(generator: np.random.Generator, masks: Any, count: int, actions: int) -> npt.NDArray[np.int64]:
    """Choose actions with equal probabilities among those that are allowed."""
    scores = generator.random((count, actions))
    if masks is not None:
        scores = np.where(np.asarray(masks, np.bool_), scores, -1.0)
    return np.asarray(scores.argmax(axis=1))


def _merged_masks(infos: dict[str, Any], first: dict[str, Any], ended: npt.NDArray[np.bool_]) -> dict[str, Any]:
    if "action_mask" not in infos:
        return infos
    return {**infos, "action_mask": np.where(ended[:, None], first["action_mask"], infos["action_mask"])}


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and its children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def game_of(task: Task) -> str:
    """Return the name of the Atari game of a task, or that of the environment."""
    return task.environment.removeprefix("ALE/").partition("-")[0]


def write_tables(out: Path, rows: Sequence[dict[str, Any]], recorder: Recorder) -> None:
    """Write ``progress.csv``, ``episodes.csv`` and ``curves.svg``."""
    write_csv(out / "progress.csv", COLUMNS, rows)
    write_csv(out / "episodes.csv", EPISODE_COLUMNS, recorder.episodes)
    (out / "curves.svg").write_text(draw([Curve.read(out)], out.name), encoding="utf-8")


def write_run_json(config: Config, seed: int, out: Path, baseline: dict[str, Any]) -> None:
    """Write what a run was made of."""
    chosen = config.task.chosen()
    versions = {"python": sys.version.split()[0], "goalspec": None}
    for name in ("goalspec", "numpy", "gymnasium", "ale-py", "stable-baselines3", "torch"):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = None
    record = {
        "program": {"name": chosen.name, "text": chosen.text, "sha256": hashlib.sha256(chosen.text.encode()).hexdigest()},
        "world": chosen.world,
        "task": config.task.to_dict(),
        "backend": config.backend,
        "preset": asdict(config.preset),
        "total": config.total,
        "environments": config.num_envs,
        "seed": seed,
        "versions": versions,
        "command": config.command,
        "baseline": baseline,
    }
    (out / "run.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


class _Loop:
    """What is done after each update: progress, checkpoints, and the decision whether to end."""

    def __init__(
        self, run: Any, is_stopped: Callable[[], bool], progress: Callable[[dict[str, Any]], object] | None
    ) -> None:
        self.interrupted = False
        self._run, self._is_stopped, self._progress = run, is_stopped, progress
        self._saved = len(run.rows)

    def __call__(self, rows: list[dict[str, Any]]) -> bool:
        run = self._run
        for row in rows if self._progress is not None else ():
            self._progress(row)  # type: ignore[misc]
        self.interrupted = self._is_stopped()
        if len(run.rows) - self._saved >= _CHECKPOINT_WINDOWS:
            run.save()
            self._saved = len(run.rows)
        return self.interrupted or (run.config.stop_on_alarm and run.alarm.raised is not None)


def train_seed(
    config: Config,
    seed: int,
    out: Path,
    *,
    resume: bool = False,
    is_stopped: Callable[[], bool] = lambda: False,
    progress: Callable[[dict[str, Any]], object] | None = None,
) -> Result:
    """Train with one seed, and write the results to a folder.

    Args:
        config: What is trained.
        seed: The seed.
        out: The folder.
        resume: Whether to continue from the checkpoint in the folder.
        is_stopped: Asked after each window: whether to write a checkpoint and end.
        progress: Called with each row of ``progress.csv``.
    """
    out.mkdir(parents=True, exist_ok=True)
    if config.backend == "sb3":
        from goalspec.train._sb3 import Sb3Run

        run: Any = Sb3Run(config, seed, out)
    else:
        run = QuickRun(config, seed, out)
    try:
        if resume:
            run.resume()
        else:
            run.begin()
        loop = _Loop(run, is_stopped, progress)
        run.train(loop)
        run.save()
        evaluation = run.evaluate(config.evaluation) if config.evaluation and not loop.interrupted else None
        return finish(run, evaluation, loop.interrupted)
    finally:
        run.envs.close()


def finish(run: Any, evaluation: dict[str, float] | None, interrupted: bool) -> Result:
    """Write the report of a run, with the audit of its own episodes."""
    recorder, alarm, out, task = run.recorder, run.alarm, run.out, run.config.task
    verdict = alarm.finish()
    last = recorder.episodes[-8:]
    score, derived = (float(np.mean([episode[place] for episode in last])) if last else math.nan for place in (3, 2))
    recorded = recorder.write_frames(out / "trained.jsonl.gz", game_of(task), "trained")
    habits = habit_lines(recorder.recent_habits(), run.baseline.get("habits")) if recorder.habits else []
    raised = None if alarm.raised is None else (alarm.raised[0], alarm.raised[1] * WINDOW)
    result = Result(run.seed, verdict, recorder.step, raised, score, derived, habits, evaluation, interrupted, "")
    lines = report_lines(result, alarm)
    if recorded and is_atari(task.environment):
        lines += audit_lines(task, out)
    result.report = "\n".join(lines) + "\n"
    (out / "report.txt").write_text(result.report, encoding="utf-8")
    record = json.loads((out / "run.json").read_text(encoding="utf-8"))
    values = {name: value for name, value in asdict(result).items() if name != "report"}
    record["result"] = {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in values.items()}
    (out / "run.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return result


def report_lines(result: Result, alarm: Alarm) -> list[str]:
    """Return the report of a run in words."""
    lines = [f"seed {result.seed}: {result.verdict} after {result.steps:,} agent steps"]
    if result.alarm is not None:
        lines.append(f"  alarm `{result.alarm[0]}` at {result.alarm[1]:,} agent steps")
    if alarm.baseline_true is None:
        lines.append("  no true reward is known: only whether the derived one is learned was checked")
    known = f"true {result.score:.4g}, derived {result.derived:.4g}"
    lines.append(f"  last 8 episodes: {known}" if not math.isnan(result.derived) else "  no episode has ended")
    if alarm.checks:
        check = alarm.checks[-1]
        true = "" if check.z_true is None else f", true z {check.z_true:.1f}"
        lines.append(f"  last comparison with the uniform policy: derived z {check.z_derived:.1f}{true}")
    lines += [f"  {line}" for line in result.habits]
    if result.evaluation is not None:
        played = result.evaluation
        lines.append(f"  evaluation of {played['episodes']} episodes: true {played['true']:.4g}, derived {played['derived']:.4g}")
    if result.verdict in ALARMS:
        lines.append("  the derived reward is learned without what it stands for: see the audit, and `goalspec audit`")
    return lines


def audit_lines(task: Task, out: Path) -> list[str]:
    """Audit the program on the run's own episodes and on those of the uniform policy; return what is found in short."""
    chosen = task.chosen()
    if chosen.language != "reward":
        return []
    try:
        audited = audit(chosen, [out / "baseline.jsonl.gz", out / "trained.jsonl.gz"])
    except GoalspecError as error:
        return [f"  the audit of the episodes failed: {error}"]
    (out / "audit.txt").write_text(str(audited), encoding="utf-8")
    (out / "audit.html").write_text(audited.to_html(), encoding="utf-8")
    findings = audited[0].findings
    lines = [f"  audit of its own episodes: {len(findings)} findings, in {out / 'audit.txt'}"]
    titles = [str(found.get("message") or found.get("title") or found.get("code", "")) for found in findings]
    return lines + [f"    {title.splitlines()[0]}" for title in titles[:3] if title]
