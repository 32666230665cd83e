"""The back end ``sb3``: PPO of Stable-Baselines3, or MaskablePPO of sb3-contrib where actions have masks."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from goalspec._optional import require
from goalspec.gym import GoalReward
from goalspec.train._alarm import Alarm
from goalspec.train._environments import TrainingEnvs, extractor, is_atari, make_environment
from goalspec.train._observations import ObjectVector
from goalspec.train._records import Recorder
from goalspec.train._run import (
    AfterWindows,
    Config,
    add_windows,
    cpu_seconds,
    measure_baseline,
    write_run_json,
    write_tables,
)

_STACKED = 4
_CHECKPOINT = "checkpoint-records.pkl"


def make_rewarded(config: Config) -> GoalReward:
    """Make one environment as Stable-Baselines3 takes it."""
    task, observation = config.task, config.preset.observation
    if observation == "pixels" and is_atari(task.environment):
        env: gymnasium.Env[Any, Any] = make_environment(task, observation)
        env = gymnasium.wrappers.GrayscaleObservation(gymnasium.wrappers.ResizeObservation(env, (84, 84)), keep_dim=True)
    else:
        env = make_environment(task, observation)
    observe = None
    if task.observe is not None:
        is_vector = isinstance(env.observation_space, spaces.Box) and len(env.observation_space.shape) == 1
        observe = "flat" if is_vector else "dict"
    return GoalReward(
        env,
        task.chosen(),
        extractor(task, observation),
        mode=task.mode,
        weight=task.weight,
        observe=observe,
        horizon=task.horizon,
        on_error="zero",
    )


class Sb3Run:
    """Training with Stable-Baselines3. It is recorded, compared and reported as that of the back end ``quick``."""

    def __init__(self, config: Config, seed: int, out: Path) -> None:
        vec_env = require("stable_baselines3.common.vec_env", "train")
        self.config, self.seed, self.out = config, seed, out
        self.envs = vec_env.DummyVecEnv([lambda: make_rewarded(config)] * config.num_envs)
        self.envs.seed(seed)
        settings = config.preset.settings
        stacked = vec_env.VecFrameStack(self.envs, _STACKED) if config.preset.observation == "pixels" else self.envs
        if settings.normalize_reward:
            stacked = vec_env.VecNormalize(stacked, norm_obs=False, gamma=settings.gamma)
        self._vec_env = stacked
        self.recorder = Recorder(config.num_envs, self._meanings(), self._names())
        self.rows: list[dict[str, Any]] = []
        self.ends = False
        self.alarm = Alarm([], None)
        self.baseline: dict[str, Any] = {}
        self._started = cpu_seconds()
        self.model = self._new_model()

    def _first(self) -> Any:
        return self.envs.envs[0]

    def _meanings(self) -> list[str]:
        meanings = getattr(self._first().unwrapped, "get_action_meanings", None)
        count = getattr(self._first().action_space, "n", 1)
        return list(meanings()) if meanings is not None else [f"action {number}" for number in range(int(count))]

    def _names(self) -> list[str]:
        env = self._first()
        while isinstance(env, gymnasium.Wrapper):
            if isinstance(env, ObjectVector):
                return list(env.names)
            env = env.env
        return []

    def _has_masks(self) -> bool:
        return hasattr(self._first().unwrapped, "action_masks")

    def _new_model(self) -> Any:
        settings, preset = self.config.preset.settings, self.config.preset
        algorithm = require("sb3_contrib", "train").MaskablePPO if self._has_masks() else require("stable_baselines3", "train").PPO
        torch = require("torch", "train")
        pixels = preset.observation == "pixels"
        is_dict = isinstance(self.envs.observation_space, spaces.Dict)
        policy = "MultiInputPolicy" if is_dict else "CnnPolicy" if pixels else "MlpPolicy"
        hidden = settings.hidden
        network: dict[str, Any] = {"ortho_init": True}
        if not pixels:
            network |= {"net_arch": {"pi": [hidden, hidden], "vf": [hidden, hidden]}, "activation_fn": torch.nn.Tanh}
        rate: Any = settings.learning_rate
        if settings.anneal:
            rate = lambda left: left * settings.learning_rate  # noqa: E731
        return algorithm(
            policy,
            self._vec_env,
            learning_rate=rate,
            n_steps=settings.steps,
            batch_size=settings.minibatch,
            n_epochs=settings.epochs,
            gamma=settings.gamma,
            gae_lambda=settings.lam,
            clip_range=settings.clip,
            clip_range_vf=settings.clip if settings.clip_value else None,
            ent_coef=settings.entropy,
            vf_coef=settings.value,
            max_grad_norm=settings.max_norm,
            policy_kwargs=network,
            tensorboard_log=str(self.out / "tensorboard") if self.config.tensorboard else None,
            seed=self.seed,
            device="cpu" if not pixels else "auto",
        )

    def begin(self) -> None:
        """Measure the baseline."""
        envs = TrainingEnvs(replace(self.config.task, observe=None), self.config.num_envs, self.seed, self.config.preset.observation)
        try:
            self.baseline = measure_baseline(envs, self.config, self.seed, self.out)
        finally:
            envs.close()
        self.alarm = Alarm(self.baseline["derived"], self.baseline["true"])
        write_run_json(self.config, self.seed, self.out, self.baseline)

    def train(self, after_windows: AfterWindows) -> None:
        """Train until the total is reached, or ``after_windows`` says to end."""
        def on_step(callback: Any) -> bool:
            self.observe(callback.locals)
            return not self.ends

        def on_rollout_start(callback: Any) -> None:
            # The update of the rollout before is done.
            self.ends = self.flush(after_windows) or self.ends

        def on_training_end(callback: Any) -> None:
            self.flush(after_windows)

        methods = {"_on_step": on_step, "_on_rollout_start": on_rollout_start, "_on_training_end": on_training_end}
        callback_class = type("Callback", (require("stable_baselines3.common.callbacks", "train").BaseCallback,), methods)
        left = self.config.total - self.recorder.step
        is_new = self.model.num_timesteps == 0
        if left > 0:
            self.model.learn(left, callback=callback_class(), log_interval=1 if self.config.tensorboard else None, reset_num_timesteps=is_new)

    def observe(self, found: dict[str, Any]) -> None:
        """Record a step of all environments."""
        infos = found["infos"]
        terminated = np.array([done and not info.get("TimeLimit.truncated", False) for done, info in zip(found["dones"], infos, strict=True)])
        goals = [info["goal"] for info in infos]
        derived = np.asarray(self.envs.buf_rews, np.float64)
        joined = {
            "env_reward": np.array([info["env_reward"] for info in infos]),
            "goal": {"_error": np.array(["error" in goal for goal in goals])},
        }
        dones = np.asarray(found["dones"], np.bool_)
        seen = self.envs.buf_obs[None] if None in self.envs.buf_obs else np.zeros((len(infos), 0))
        self.recorder.observe(
            np.asarray(found["actions"]), seen, derived, dones & terminated, dones & ~terminated, joined, self._rams()
        )

    def _rams(self) -> Any:
        if not is_atari(self.config.task.environment):
            return None
        return np.stack([env.unwrapped.ale.getRAM() for env in self.envs.envs])

    def flush(self, after_windows: AfterWindows) -> bool:
        """Give the windows that ended to the alarm; return whether training ends."""
        logged = getattr(self.model, "_logger", None)
        values = {} if logged is None else dict(logged.name_to_value)
        update = {
            "entropy": -values.get("train/entropy_loss", math.nan),
            "kl": values.get("train/approx_kl", math.nan),
            "clip_fraction": values.get("train/clip_fraction", math.nan),
            "explained_variance": values.get("train/explained_variance", math.nan),
            "loss_policy": values.get("train/policy_gradient_loss", math.nan),
            "loss_value": values.get("train/value_loss", math.nan),
            "cpu_s": round(cpu_seconds() - self._started, 3),
        }
        added = add_windows(self.recorder, self.alarm, update, self.baseline["true_return"])
        self.rows += added
        return bool(added) and after_windows(added)

    def save(self) -> None:
        """Write the tables and the model."""
        write_tables(self.out, self.rows, self.recorder)
        self.model.save(self.out / "model.zip")
        state = {"recorder": self.recorder.state(), "alarm": self.alarm.state(), "rows": self.rows, "baseline": self.baseline}
        (self.out / _CHECKPOINT).write_bytes(pickle.dumps(state))

    def resume(self) -> None:
        """Continue with the model in the folder; its environments begin new episodes."""
        path = self.out / _CHECKPOINT
        if not path.exists():
            raise FileNotFoundError(f"there is no checkpoint in {self.out}")
        state = pickle.loads(path.read_bytes())
        self.recorder.restore(state["recorder"])
        self.alarm = Alarm.restored(state["alarm"])
        self.rows, self.baseline = state["rows"], state["baseline"]
        self.model = type(self.model).load(self.out / "model.zip", env=self._vec_env)

    def evaluate(self, episodes: int) -> dict[str, float]:
        """Play episodes with the most probable actions, with seeds that training has not seen."""
        vec_env = require("stable_baselines3.common.vec_env", "train")
        count = min(episodes, self.config.num_envs)
        envs = vec_env.DummyVecEnv([lambda: make_rewarded(self.config)] * count)
        stacked = vec_env.VecFrameStack(envs, _STACKED) if self.config.preset.observation == "pixels" else envs
        stacked.seed(self.seed + 1_000_000)
        quota = np.full(count, episodes // count) + (np.arange(count) < episodes % count)
        sums, finished, observations = np.zeros((3, count)), [], stacked.reset()
        while quota.any():
            masks = {"action_masks": np.stack(envs.env_method("action_masks"))} if self._has_masks() else {}
            actions, _ = self.model.predict(observations, deterministic=True, **masks)
            observations, _, dones, infos = stacked.step(actions)
            own = np.array([info["env_reward"] for info in infos])
            sums += np.stack([np.asarray(envs.buf_rews), own, np.ones(count)])
            for place in np.flatnonzero(dones):
                if quota[place]:
                    finished.append(sums[:, place].copy())
                    quota[place] -= 1
                sums[:, place] = 0.0
        stacked.close()
        derived, true, length = np.mean(finished, axis=0).tolist()
        return {"episodes": len(finished), "derived": derived, "true": true, "length": length}
