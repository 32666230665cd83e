"""Interruption, threads, processes and the command line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import goalspec

# A problem whose search for an optimal plan takes minutes.
BLOCKS_DOMAIN = """
(define (domain blocks) (:requirements :strips :typing) (:types block)
  (:predicates (on ?x ?y - block) (table ?x - block) (clear ?x - block) (empty) (held ?x - block))
  (:action pick :parameters (?x - block) :precondition (and (clear ?x) (table ?x) (empty))
    :effect (and (not (table ?x)) (not (clear ?x)) (not (empty)) (held ?x)))
  (:action put :parameters (?x - block) :precondition (held ?x)
    :effect (and (not (held ?x)) (clear ?x) (empty) (table ?x)))
  (:action stack :parameters (?x ?y - block) :precondition (and (held ?x) (clear ?y))
    :effect (and (not (held ?x)) (not (clear ?y)) (clear ?x) (empty) (on ?x ?y)))
  (:action unstack :parameters (?x ?y - block) :precondition (and (on ?x ?y) (clear ?x) (empty))
    :effect (and (held ?x) (clear ?y) (not (clear ?x)) (not (empty)) (not (on ?x ?y)))))
"""


def blocks(count: int) -> str:
    """Return the problem of reversing two interleaved towers."""
    names = [f"b{index}" for index in range(count)]
    start = " ".join(f"(on {upper} {lower})" for upper, lower in zip(names, names[2:], strict=False))
    order = names[1::2] + names[::2]
    goal = " ".join(f"(on {upper} {lower})" for upper, lower in zip(order[::3] + order[1::3], order[1::3] + order[2::3], strict=False))
    tables = " ".join(f"(table {name})" for name in names[-2:])
    return f"""(define (problem towers) (:domain blocks) (:objects {" ".join(names)} - block)
      (:init {start} {tables} (clear b0) (clear b1) (empty)) (:goal (and {goal})))"""


def interrupt_after(seconds: float) -> list[float]:
    """Send Ctrl-C to this process after a time; the list then has the instant."""
    sent: list[float] = []

    def send() -> None:
        time.sleep(seconds)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=send, daemon=True).start()
    return sent


def test_plans_are_interrupted_with_the_best_plan_so_far() -> None:
    sent = interrupt_after(0.7)
    with pytest.raises(KeyboardInterrupt) as raised:
        goalspec.plan(blocks(26), domain=BLOCKS_DOMAIN, improve=True)
    assert time.monotonic() - sent[0] < 0.5
    partial = raised.value.partial  # type: ignore[attr-defined]
    assert partial is None or partial.stopped == "cancelled"


def test_simulations_are_interrupted(examples: Path) -> None:
    sent = interrupt_after(0.3)
    with pytest.raises(KeyboardInterrupt) as raised:
        goalspec.simulate(examples / "rgg/berries.yaml", games=10**9)
    assert time.monotonic() - sent[0] < 0.5
    partial = raised.value.partial  # type: ignore[attr-defined]
    assert partial is None or (partial.cancelled and partial.games > 0)


def test_scores_are_interrupted(examples: Path) -> None:
    program = goalspec.load(examples / "game/throw-to-bin.game")
    trace = goalspec.Trace.read(examples / "game/play.jsonl")
    sent = interrupt_after(0.3)
    with pytest.raises(KeyboardInterrupt):
        goalspec.score(program, [trace] * 1_000_000)
    assert time.monotonic() - sent[0] < 1.0


def test_other_threads_run_during_a_call() -> None:
    ticks, stop = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    goalspec.plan(blocks(20), domain=BLOCKS_DOMAIN, improve=True, time_limit=0.5)
    stop.set()
    thread.join()
    assert ticks > 20


def test_forked_processes_work(examples: Path) -> None:
    code = f"""
import os, goalspec
library = goalspec.load({str(examples / "game/throw-to-bin.game")!r})
trace = {str(examples / "game/play.jsonl")!r}
goalspec.score(library, [trace] * 4)
child = os.fork()
assert goalspec.score(library, [trace] * 4)[3].score == 10.0
if child:
    assert os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_importing_takes_numpy_alone() -> None:
    code = "import sys, numpy; before = set(sys.modules); import goalspec; print(sorted({name.split('.')[0] for name in set(sys.modules) - before}))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    foreign = set(eval(printed)) - set(sys.stdlib_module_names)
    assert foreign <= {"goalspec", "numpy"}


def test_the_command_line_is_in_the_package(examples: Path) -> None:
    run = [sys.executable, "-m", "goalspec"]
    shown = subprocess.run([*run, "score", "--why", "@throw-to-bin"], capture_output=True, text=True, check=True).stdout
    assert "score 10 after 78 states" in shown
    assert subprocess.run([*run, "--version"], capture_output=True, text=True, check=True).stdout.startswith("goalspec ")
    assert subprocess.run([*run, "scroe"], capture_output=True, check=False).returncode == 2
    assert subprocess.run([*run, "check", str(examples / "game/faulty.game")], capture_output=True, check=False).returncode == 1
