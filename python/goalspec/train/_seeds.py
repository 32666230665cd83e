"""Training with several seeds, one process each."""

from __future__ import annotations

import json
import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from goalspec._errors import GoalspecError
from goalspec.train._curves import Curve, draw
from goalspec.train._run import Config, Result, train_seed

_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""The variables that give the BLAS library one thread, on which the last digits depend."""


def train_seeds(
    config: Config,
    seeds: Sequence[int],
    out: Path,
    *,
    jobs: int | None = None,
    resume: bool = False,
    progress: Callable[[int, dict[str, Any]], object] | None = None,
) -> list[Result]:
    """Train with one or more seeds, each in a process of its own with one thread of the BLAS library.

    Args:
        config: What is trained.
        seeds: The seeds. The results of several are in folders ``seed-0``, ``seed-1``, .. of ``out``.
        out: The folder.
        jobs: The number of processes at a time; by default one per core.
        resume: Whether to continue from the checkpoints.
        progress: Called with the seed and each row of its ``progress.csv``.

    Raises:
        GoalspecError: If a run failed.

    Ctrl-C lets every run write a checkpoint and end; a second one ends them at once.
    """
    if len(set(seeds)) != len(seeds) or not seeds:
        raise ValueError(f"expected different seeds, found {list(seeds)}")
    folders = [out] if len(seeds) == 1 else [out / f"seed-{seed}" for seed in seeds]
    limit = max(1, jobs or os.cpu_count() or 1)
    context = multiprocessing.get_context("spawn")
    results: dict[int, Result] = {}
    waiting = list(zip(seeds, folders, strict=True))
    running: dict[Any, tuple[Any, int]] = {}
    failure: str | None = None
    stopping = context.Event()
    with _one_thread(), _interruptible(stopping, running) as stopped:
        while running or (waiting and failure is None and not stopped):
            while waiting and len(running) < limit and failure is None and not stopped:
                seed, folder = waiting.pop(0)
                own, other = context.Pipe(duplex=False)
                process = context.Process(target=_run, args=(other, stopping, config, seed, folder, resume))
                process.start()
                other.close()
                running[own] = (process, seed)
            pipes: list[Any] = multiprocessing.connection.wait(list(running), timeout=0.5)
            for pipe in pipes:
                process, seed = running[pipe]
                try:
                    kind, value = pipe.recv()
                except EOFError:
                    process.join()
                    del running[pipe]
                    if seed not in results and failure is None:
                        failure = f"the process of seed {seed} ended with exit code {process.exitcode}"
                    continue
                if kind == "row" and progress is not None:
                    progress(seed, value)
                elif kind == "result":
                    results[seed] = value
                elif kind == "error":
                    failure = value
    if failure is not None and not stopped:
        raise GoalspecError(failure)
    done = [results[seed] for seed in seeds if seed in results]
    if len(seeds) > 1:
        _summarise(config, done, out, folders)
    return done


def _summarise(config: Config, results: Sequence[Result], out: Path, folders: Sequence[Path]) -> None:
    """Write the curves and the results of several seeds."""
    curves = [Curve.read(folder) for folder in folders if (folder / "progress.csv").exists()]
    (out / "curves.svg").write_text(draw(curves, out.name), encoding="utf-8")
    record = {
        "program": config.task.program,
        "command": config.command,
        "seeds": {str(result.seed): {"verdict": result.verdict, "alarm": result.alarm} for result in results},
    }
    (out / "run.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    (out / "report.txt").write_text("\n".join(result.report for result in results), encoding="utf-8")


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let processes that are started meanwhile use one thread of the BLAS library."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _interruptible(stopping: Any, running: dict[Any, tuple[Any, int]]) -> Iterator[list[int]]:
    """Collect interruptions: the first one asks the processes to stop, the second one ends them."""
    stopped: list[int] = []

    def stop(number: int, frame: Any) -> None:
        stopped.append(number)
        stopping.set()
        for process, _ in running.values() if len(stopped) > 1 else ():
            process.terminate()

    try:
        before = signal.signal(signal.SIGINT, stop)
    except ValueError:
        # Only the main thread handles signals.
        yield stopped
        return
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)


def _run(pipe: Any, stopping: Any, config: Config, seed: int, folder: Path, resume: bool) -> None:
    """Train with one seed, and send rows and the result."""
    # A terminal sends SIGINT to all processes of a group; the parent decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        result = train_seed(
            config,
            seed,
            folder,
            resume=resume,
            is_stopped=stopping.is_set,
            progress=lambda row: pipe.send(("row", row)),
        )
        pipe.send(("result", result))
    except (GoalspecError, ImportError, OSError, TypeError, ValueError, KeyError) as error:
        pipe.send(("error", f"seed {seed}: {type(error).__name__}: {error}"))
    except BaseException:
        traceback.print_exc(file=sys.stderr)
        raise
    finally:
        pipe.close()
