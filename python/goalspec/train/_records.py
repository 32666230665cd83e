"""What is written about a run: windows, episodes, habits, and recordings of play."""

from __future__ import annotations

import csv
import gzip
import json
import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from goalspec._errors import RewardError
from goalspec.train._alarm import COMPARED, WINDOW, Alarm

_SPAN = 50
"""The span of the exponential means, in episodes."""
_MAX_ERRORS = 0.01
"""The share of a window's steps without a reward at which a run stops."""
_STILL = 2 / 3
"""The share of steps without motion that is called standing still."""
_SAME = 0.8
"""The share of an action that is called nearly always."""

COLUMNS = (
    "step", "derived", "true", "derived_ema", "derived_dev", "true_ema", "true_dev", "episodes", "length", "errors", "entropy",
    "kl", "clip_fraction", "explained_variance", "loss_policy", "loss_value", "z_derived", "z_true", "alarm", "cpu_s",
    "steps_per_s",
)  # fmt: skip
EPISODE_COLUMNS = ("step", "environment", "derived", "true", "length", "terminated", "truncated")


@dataclass
class ExponentialMean:
    """The exponential mean and deviation of values."""

    mean: float | None = None
    variance: float = 0.0

    def add(self, value: float) -> None:
        """Add a value; one that is not a number is passed over."""
        if math.isnan(value):
            return
        if self.mean is None:
            self.mean = value
            return
        alpha = 2 / (1 + _SPAN)
        change = value - self.mean
        self.mean += alpha * change
        self.variance = (1 - alpha) * (self.variance + alpha * change * change)

    @property
    def deviation(self) -> float:
        return math.sqrt(self.variance)


@dataclass
class Habits:
    """What the policy did in the last windows."""

    actions: npt.NDArray[np.int64]
    """The number of times of each action."""
    still: int = 0
    """Steps in which the player did not move."""
    steps: int = 0
    places: dict[int, int] = field(default_factory=dict)
    """Steps by the band of 16 rows in which the player is."""

    def __iadd__(self, other: Habits) -> Habits:
        self.actions = self.actions + other.actions
        self.still, self.steps = self.still + other.still, self.steps + other.steps
        for band, count in other.places.items():
            self.places[band] = self.places.get(band, 0) + count
        return self

    def to_dict(self, meanings: Sequence[str]) -> dict[str, Any]:
        """Return the shares as values for JSON."""
        total = max(int(self.actions.sum()), 1)
        shares = {name: int(count) / total for name, count in zip(meanings, self.actions, strict=True)}
        record: dict[str, Any] = {"actions": shares}
        if self.steps:
            record["still"] = self.still / self.steps
            record["rows"] = {str(band * 16): count / self.steps for band, count in sorted(self.places.items())}
        return record


def habit_lines(record: dict[str, Any], baseline: dict[str, Any] | None) -> list[str]:
    """Return the habits of a policy in words."""
    shares = sorted(record["actions"].items(), key=lambda item: -item[1])
    lines = ["actions: " + ", ".join(f"{name} {share:.0%}" for name, share in shares[:6])]
    if "still" in record:
        verb = "learns to stand still: the player" if record["still"] >= _STILL else "the player"
        was = "" if baseline is None or "still" not in baseline else f" (the uniform policy in {baseline['still']:.0%})"
        lines.insert(0, f"{verb} does not move in {record['still']:.0%} of the steps{was}")
        band, share = max(record["rows"].items(), key=lambda item: item[1])
        lines.append(f"the player is in rows {band} to {int(band) + 15} in {share:.0%} of the steps")
    elif shares[0][1] >= _SAME:
        lines.insert(0, f"nearly always takes the same action: {shares[0][0]}")
    return lines


@dataclass
class Window:
    """The sums of a window."""

    step: int
    derived: float
    true: float
    episodes: int
    length: float
    errors: int


class Recorder:
    """Sums rewards over windows and episodes, and keeps the last frames of play.

    Args:
        num_envs: The number of environments.
        meanings: The names of the actions.
        names: The names of the numbers of an observation, for habits; empty if they have none.
    """

    def __init__(self, num_envs: int, meanings: Sequence[str], names: Sequence[str]) -> None:
        self.meanings = list(meanings)
        self.step, self.closed = 0, list[Window]()
        self.episodes: list[tuple[Any, ...]] = []
        self.derived_ema, self.true_ema = ExponentialMean(), ExponentialMean()
        self._returns = np.zeros((2, num_envs))
        self._lengths = np.zeros(num_envs, np.int64)
        self._sums, self._taken, self._errors = np.zeros(2), 0, 0
        self._ended: list[int] = []
        self.habits: deque[Habits] = deque(maxlen=COMPARED)
        player = names[0].rpartition(".")[0] if names else ""
        self._motion = [place for place, name in enumerate(names) if name in (f"{player}.dx", f"{player}.dy")]
        self._row = next((place for place, name in enumerate(names) if name == f"{player}.y"), None)
        self._num_envs = num_envs
        self._seen: list[tuple[npt.NDArray[np.int64], Any]] = []
        # Frames of all environments: the actions, the rewards, both flags and the memory of the consoles; for first frames, those in a mask.
        self._frames: deque[tuple[Any, ...]] = deque(maxlen=COMPARED * WINDOW // num_envs)

    def begin(self, rams: npt.NDArray[np.uint8] | None, where: npt.NDArray[np.bool_]) -> None:
        """Record the first frames of episodes."""
        if rams is not None:
            self._frames.append((where.copy(), rams))

    def observe(
        self,
        actions: npt.NDArray[np.int64],
        observations: Any,
        derived: npt.NDArray[np.float64],
        terminated: npt.NDArray[np.bool_],
        truncated: npt.NDArray[np.bool_],
        infos: dict[str, Any],
        rams: npt.NDArray[np.uint8] | None,
    ) -> None:
        """Record a step of all environments."""
        count = len(actions)
        true = np.asarray(infos.get("env_reward", np.full(count, np.nan)), np.float64)
        both = np.stack([derived, true])
        errors = infos["goal"].get("_error")
        self._errors += 0 if errors is None else int(errors.sum())
        self._sums += both.sum(axis=1)
        self._returns += both
        self._lengths += 1
        self.step, self._taken = self.step + count, self._taken + count
        self._seen.append((actions.copy(), observations))
        if rams is not None:
            self._frames.append((actions.copy(), true, terminated, truncated, rams))
        for place in map(int, np.flatnonzero(terminated | truncated)):
            self._end(place, bool(terminated[place]), bool(truncated[place]))
        if self._taken >= WINDOW:
            self._close()

    def _window_habits(self) -> Habits:
        """Return what was done in the window."""
        actions = np.concatenate([actions for actions, _ in self._seen])
        habits = Habits(np.bincount(actions, minlength=len(self.meanings)).astype(np.int64))
        if self._motion:
            seen = np.concatenate([np.asarray(observations) for _, observations in self._seen])
            habits.steps += len(seen)
            habits.still += int((seen[:, self._motion] == 0).all(axis=1).sum())
            if self._row is not None:
                bands, counts = np.unique((seen[:, self._row] * 210 / 16).astype(np.int64), return_counts=True)
                habits.places = dict(zip(bands.tolist(), counts.tolist(), strict=True))
        self._seen = []
        return habits

    def _end(self, place: int, terminated: bool, truncated: bool) -> None:
        derived, true = self._returns[:, place].tolist()
        length = int(self._lengths[place])
        self.episodes.append((self.step, place, derived, true, length, int(terminated), int(truncated)))
        self.derived_ema.add(derived)
        self.true_ema.add(true)
        self._returns[:, place], self._lengths[place] = 0.0, 0
        self._ended.append(length)

    def _close(self) -> None:
        derived, true = self._sums.tolist()
        mean_length = float(np.mean(self._ended)) if self._ended else math.nan
        self.closed.append(Window(self.step, derived, true, len(self._ended), mean_length, self._errors))
        self.habits.append(self._window_habits())
        if self._errors > _MAX_ERRORS * self._taken:
            message = f"the program gave no reward for {self._errors} of {self._taken} steps"
            raise RewardError("TooManyErrors", message)
        self._sums, self._taken, self._errors, self._ended = np.zeros(2), 0, 0, []

    def recent_habits(self) -> dict[str, Any]:
        """Return the habits in the last windows as values for JSON."""
        total = Habits(np.zeros(len(self.meanings), np.int64))
        for habits in self.habits:
            total += habits
        return total.to_dict(self.meanings)

    def write_frames(self, path: Path, game: str, policy: str) -> bool:
        """Write the last frames as a recording; return whether there are any."""
        if not self._frames:
            return False
        header = {"format": "goalspec-screens-1", "game": game, "hud": False, "policy": policy, "action_meanings": self.meanings}
        with gzip.open(path, "wt", compresslevel=3) as file:
            file.write(json.dumps(header, separators=(",", ":")) + "\n")
            number, episode = 0, 0
            for frames in map(self._frames_of, range(self._num_envs)):
                for ram, action, reward, terminated, truncated in frames:
                    frame = {"t": number, "ep": episode, "a": action, "r": reward, "term": terminated, "trunc": truncated}
                    file.write(json.dumps({**frame, "ram": ram.tobytes().hex()}, separators=(",", ":")) + "\n")
                    number += 1
                    episode += terminated or truncated
                episode += bool(frames) and not (frames[-1][3] or frames[-1][4])
        return True

    def _frames_of(self, place: int) -> list[tuple[npt.NDArray[np.uint8], int | None, float, bool, bool]]:
        """Return the frames of one environment: memory, action, reward and both flags."""
        frames: list[tuple[npt.NDArray[np.uint8], int | None, float, bool, bool]] = []
        for *record, rams in self._frames:
            if len(record) == 1:
                if record[0][place]:
                    frames.append((rams[place], None, 0.0, False, False))
                continue
            action, reward, terminated, truncated = (values[place] for values in record)
            frames.append((rams[place], int(action), float(reward), bool(terminated), bool(truncated)))
        return frames

    def state(self) -> dict[str, Any]:
        """Return everything but the frames as values for pickling."""
        return {name: value for name, value in self.__dict__.items() if name != "_frames"}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state."""
        self.__dict__.update(state)


def progress_row(window: Window, recorder: Recorder, update: dict[str, float], alarm: Alarm | None) -> dict[str, Any]:
    """Return the row of a window."""
    check = alarm.checks[-1] if alarm is not None and alarm.checks and alarm.checks[-1].window == len(alarm.derived) else None
    row: dict[str, Any] = {**window.__dict__, **update}
    row |= {
        "derived_ema": recorder.derived_ema.mean,
        "derived_dev": recorder.derived_ema.deviation,
        "true_ema": recorder.true_ema.mean,
        "true_dev": recorder.true_ema.deviation,
        "z_derived": None if check is None else check.z_derived,
        "z_true": None if check is None else check.z_true,
        "alarm": "" if check is None else check.verdict,
    }
    return row


def write_csv(path: Path, columns: Sequence[str], rows: Sequence[Any]) -> None:
    """Write a table, whole or not at all. Numbers round-trip; what is not known is empty."""
    temporary = path.with_suffix(".tmp")
    with temporary.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for row in rows:
            values = [row.get(column) for column in columns] if isinstance(row, dict) else row
            is_unknown = [value is None or (isinstance(value, float) and math.isnan(value)) for value in values]
            writer.writerow(["" if unknown else value for value, unknown in zip(values, is_unknown, strict=True)])
    temporary.replace(path)
