"""The command ``goalspec train``."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from goalspec._errors import CheckError, GoalspecError
from goalspec._library import Library, Program, load
from goalspec.train._environments import task_of
from goalspec.train._presets import PRESETS, preset
from goalspec.train._run import Config, Result
from goalspec.train._seeds import train_seeds

_DESCRIPTION = """\
Trains an agent on the reward of a program, and tells whether it learns the reward and whether that raises the true reward, the
environment's own.
"""

_EPILOG = """\
examples:
  goalspec train reward.py
      an Atari game that the reward function imports: 100,000 agent steps, results in `train-reward`
  goalspec train reward.py --seeds 3 --steps 67000 --out runs/freeway
      three seeds, one process each
  goalspec train reward.py --steps 25000 --stop-on-alarm
      ends as soon as the reward is learned but the true one is not
  goalspec train reward.py --out runs/freeway --resume --steps 200000
      continues from the checkpoint of that folder
  goalspec train fill.game --env my_package:make_tank --columns tank.level=0 --observe goal
      an environment of your own; the agent sees the state of the monitor

exit codes:
  0   the true reward rises with the derived one (`follows`), or is not known
  3   an alarm: `diverges`, `overtaken` or `opposed`
  4   the derived reward is not learned
  1   an error; 2 wrong arguments; 130 interrupted, with a checkpoint
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="goalspec train",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("program", help="the program: a reward function, a game or an activity; FILE::NAME if the file has several")
    add("--env", metavar="ID", help="the environment, or MODULE:FUNCTION that makes it (default: the Atari game of the program)")
    add("--columns", metavar="NAME=PLACE,..", help="the places of the program's columns in observations, as `tank.level=0`")
    add("--extractor", metavar="MODULE:NAME", help="an extractor, or a callable with the attribute `columns`")
    add("--out", type=Path, metavar="DIR", help="the folder of the results (default: train-PROGRAM)")
    add("--backend", choices=("quick", "sb3"), default="quick", help="numpy, or Stable-Baselines3 (default: quick)")
    add("--preset", choices=sorted(PRESETS), default="vector", help="the hyperparameters (default: vector)")
    add("--steps", type=_positive, metavar="N", help="agent steps, all environments together (default: that of the preset)")
    add("--seed", type=_natural, default=0, metavar="N", help="the first seed (default: 0)")
    add("--seeds", type=_positive, default=1, metavar="N", help="the number of seeds, one process each (default: 1)")
    add("--jobs", type=_positive, metavar="N", help="the number of processes at a time (default: one per core)")
    add("--envs", type=_positive, default=8, metavar="N", help="environments (default: 8)")
    add("--workers", type=_positive, default=1, metavar="N", help="processes for the environments of a seed (default: 1)")
    add("--learning-rate", type=_rate, metavar="RATE", help="the learning rate")
    add("--anneal", action="store_true", default=None, help="let the learning rate fall linearly to 0")
    add("--normalize-reward", action="store_true", default=None, help="divide rewards by the running deviation of the return")
    add("--observe", choices=("goal",), help="append the state of the monitor to observations")
    add("--horizon", type=_positive, metavar="N", help="the number of states that scales the state of the monitor")
    add("--add", type=float, metavar="WEIGHT", help="learn from the environment's reward plus WEIGHT times the program's")
    add("--no-true-reward", action="store_true", help="the environment's own reward is not what is really wanted")
    add("--eval", type=_natural, default=0, metavar="N", help="play N episodes with the most probable actions afterwards")
    add("--resume", action="store_true", help="continue from the checkpoint in the folder")
    add("--stop-on-alarm", action="store_true", help="end at the first alarm")
    add("--tensorboard", action="store_true", help="write events for TensorBoard")
    add("--world", help="the world of a reward function that imports none")
    add("--quiet", action="store_true", help="no progress")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, found {text}")
    return number


def _natural(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"expected at least 0, found {text}")
    return number


def _rate(text: str) -> float:
    number = float(text)
    if not 0 < number <= 1:
        raise argparse.ArgumentTypeError(f"expected a rate above 0 and at most 1, found {text}")
    return number


def _columns(text: str | None) -> dict[str, int | str]:
    """Return the places of columns, written ``NAME=PLACE,..``."""
    places: dict[str, int | str] = {}
    for part in (text or "").split(",") if text else []:
        name, separator, place = part.partition("=")
        if not separator or not place:
            raise ValueError(f"expected NAME=PLACE in --columns, found `{part}`")
        places[name.strip()] = int(place) if place.strip().lstrip("-").isdigit() else place.strip()
    return places


def _program(text: str, world: str | None) -> tuple[Program | Library, str]:
    """Return a program, and its name for a folder."""
    file, separator, name = text.partition("::")
    library = load(file, world=world)
    if not separator:
        return library, Path(file).stem.lstrip("@")
    matching = [one for one in library if one.name == name or one.name.endswith(f"#{name}")]
    if len(matching) != 1:
        raise KeyError(f"unknown program `{name}` of {file}; the programs are {', '.join(one.name for one in library)}")
    return matching[0], name


def _configuration(arguments: argparse.Namespace) -> tuple[Config, Path]:
    program, name = _program(arguments.program, arguments.world)
    chosen = preset(
        arguments.preset,
        learning_rate=arguments.learning_rate,
        anneal=arguments.anneal,
        normalize_reward=arguments.normalize_reward,
    )
    if arguments.backend not in chosen.backends:
        raise ValueError(f"the preset `{chosen.name}` is for the back ends {', '.join(chosen.backends)}, found {arguments.backend}")
    if arguments.workers > 1 and arguments.backend != "quick":
        raise ValueError("--workers is for the back end `quick`")
    task = task_of(
        program,
        environment=arguments.env,
        fields=_columns(arguments.columns),
        extractor=arguments.extractor,
        observe=arguments.observe,
        horizon=arguments.horizon,
        mode="replace" if arguments.add is None else "add",
        weight=1.0 if arguments.add is None else arguments.add,
        has_true_reward=not arguments.no_true_reward,
    )
    config = Config(
        task=task,
        preset=chosen,
        backend=arguments.backend,
        total=arguments.steps or chosen.total,
        num_envs=arguments.envs,
        workers=arguments.workers,
        evaluation=arguments.eval,
        stop_on_alarm=arguments.stop_on_alarm,
        tensorboard=arguments.tensorboard,
        command=shlex.join(["goalspec", "train", *sys.argv[2:]]),
    )
    return config, arguments.out or Path(f"train-{name}")


def _show(seed: int, row: dict[str, Any]) -> None:
    """Print the progress of a window: every eighth one, or that of an alarm."""
    if not row["alarm"] and (row["step"] // 1024) % 8:
        return
    known = {name: "-" if row.get(name) is None else f"{row[name]:.4g}" for name in ("derived_ema", "true_ema")}
    line = f"seed {seed}: {row['step']:>9,} steps, episodes: derived {known['derived_ema']}, true {known['true_ema']}"
    if row["z_derived"] is not None:
        true = "" if row["z_true"] is None else f", true {row['z_true']:.1f}"
        line += f"; against the uniform policy: derived z {row['z_derived']:.1f}{true}: {row['alarm']}"
    print(line, file=sys.stderr, flush=True)


def _exit_code(results: Sequence[Result], expected: int) -> int:
    """Return the exit code of all seeds: an interruption, else an alarm, else what was not learned."""
    codes = [result.exit_code for result in results]
    if 130 in codes or len(codes) < expected:
        return 130
    return next((code for code in (3, 4) if code in codes), 0)


def main(arguments: Sequence[str]) -> int:
    """Run the command with these arguments; return its exit code."""
    parsed = _parser().parse_args(arguments)
    try:
        config, out = _configuration(parsed)
        if not parsed.resume and (out / "progress.csv").exists():
            raise ValueError(f"{out} has the results of a run: continue it with --resume, or choose another folder with --out")
        seeds = list(range(parsed.seed, parsed.seed + parsed.seeds))
        results = train_seeds(
            config,
            seeds,
            out,
            jobs=parsed.jobs or os.cpu_count(),
            resume=parsed.resume,
            progress=None if parsed.quiet else _show,
        )
    except CheckError as error:
        print(error, file=sys.stderr)
        return 1
    except (GoalspecError, ImportError, OSError, ValueError, TypeError, KeyError) as error:
        print(f"error: {error.args[0] if isinstance(error, KeyError) else error}", file=sys.stderr)
        return 1
    for result in results:
        print(result.report, end="")
    print(f"results in {out}")
    return _exit_code(results, len(seeds))
