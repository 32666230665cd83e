"""Interruption, threads, processes and the command line."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import goalspec
from goalspec._frames import recording

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


@pytest.fixture(autouse=True)
def handled_interrupts() -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` on Ctrl-C even if the tests run in the background of a shell, which ignores the signal there."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


# A call that is not interrupted takes minutes; one that is takes about a tenth of a second on an idle machine.
PATIENCE = 20.0


def threads() -> int:
    """Return the number of threads of this process, those of the engine included; 0 where it is unknown."""
    return len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 0


def interrupted(call: Callable[[], object], seconds: float = 0.3) -> KeyboardInterrupt:
    """Send Ctrl-C to this process during a call, and return the exception that the call raises."""
    before = threads()
    sent: list[float] = []

    def send() -> None:
        time.sleep(seconds)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send)
    sender.start()
    with pytest.raises(KeyboardInterrupt) as raised:
        call()
    assert sent and time.monotonic() - sent[0] < PATIENCE
    sender.join()
    # The engine stops, too: nobody would read its result.
    deadline = time.monotonic() + PATIENCE
    while threads() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threads() <= before
    return raised.value


def test_plans_are_interrupted_with_the_best_plan_so_far() -> None:
    def plan() -> None:
        goalspec.plan(blocks(26), domain=BLOCKS_DOMAIN, improve=True)

    partial = interrupted(plan, 0.7).partial  # type: ignore[attr-defined]
    assert partial is None or partial.stopped == "cancelled"


def test_a_plan_in_hand_is_kept() -> None:
    def interrupt(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as raised:
        goalspec.plan(blocks(20), domain=BLOCKS_DOMAIN, improve=True, on_plan=interrupt)
    partial = raised.value.partial  # type: ignore[attr-defined]
    assert isinstance(partial, goalspec.PlanResult) and partial.steps
    assert goalspec.validate(blocks(20), partial, domain=BLOCKS_DOMAIN).valid


def test_simulations_are_interrupted(examples: Path) -> None:
    raised = interrupted(lambda: goalspec.simulate(examples / "rgg/berries.yaml", games=10**9))
    partial = raised.partial  # type: ignore[attr-defined]
    assert partial is None or (partial.cancelled and partial.games > 0)


def test_scores_are_interrupted(examples: Path) -> None:
    program = goalspec.load(examples / "game/throw-to-bin.game")
    trace = goalspec.Trace.read(examples / "game/play.jsonl")
    interrupted(lambda: goalspec.score(program, [trace] * 1_000_000))


def test_loading_is_interrupted(examples: Path, tmp_path: Path) -> None:
    # Files of their own: links to one file are read once.
    text = (examples / "game/throw-to-bin.game").read_bytes()
    for number in range(20_000):
        (tmp_path / f"{number}.game").write_bytes(text)
    interrupted(lambda: goalspec.load(tmp_path))


def test_checks_are_interrupted(examples: Path) -> None:
    library = goalspec.load(examples / "game/throw-to-bin.game")
    interrupted(lambda: goalspec.check(library, traces=[examples / "game/play.jsonl"] * 200_000))


def test_audits_and_scores_of_rewards_are_interrupted(examples: Path, tmp_path: Path) -> None:
    program = goalspec.load(examples / "reward/rally.py")
    count = 300
    ram = np.zeros((count, 128), np.uint8)
    none = np.zeros(count, bool)
    path = tmp_path / "play.jsonl"
    path.write_bytes(recording("atari/pong", goalspec.Frames(ram, np.zeros(count), np.zeros(count, int), none, none, np.zeros(count, int))))
    for call in (goalspec.audit, goalspec.score):
        interrupted(lambda call=call: call(program, [path] * 100_000))  # type: ignore[misc]


def test_analyses_are_interrupted(examples: Path) -> None:
    interrupted(lambda: goalspec.analyse(examples / "rgg/berries.yaml", max_states=10**9))


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


# Calls a function again and again, and waits as often; prints a line before each call, and the time at which it was interrupted.
INTERRUPTED_CALLS = """
import signal, sys, time
import goalspec
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {tests!r})
from test_calls import BLOCKS_DOMAIN, blocks
examples = Path({examples!r})
program, play = goalspec.load(examples / "game/throw-to-bin.game"), goalspec.Trace.read(examples / "game/play.jsonl")
plays = [play] * 200_000
calls = {{
    "plan": lambda: goalspec.plan(blocks(26), domain=BLOCKS_DOMAIN, improve=True),
    "simulate": lambda: goalspec.simulate(examples / "rgg/berries.yaml", games=10**9),
    "score": lambda: goalspec.score(program, plays),
}}
for number in range(2 * {count}):
    print("ready", flush=True)
    try:
        calls[{name!r}]() if number % 2 else time.sleep(60)
        print("the call has ended", flush=True)
    except KeyboardInterrupt:
        print(time.monotonic(), flush=True)
"""


def interruption_delays(name: str, examples: Path, count: int) -> tuple[list[float], list[float]]:
    """Return the seconds from signals to the exceptions of a call, and of sleeping in between, which tell how busy the machine is."""
    code = INTERRUPTED_CALLS.format(tests=str(Path(__file__).parent), examples=str(examples), name=name, count=count)
    delays: list[float] = []
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for _ in range(2 * count):
            assert child.stdout.readline() == "ready\n"
            time.sleep(0.25)
            sent = time.monotonic()
            child.send_signal(signal.SIGINT)
            delays.append(float(child.stdout.readline()) - sent)
    return delays[1::2], delays[::2]


@pytest.mark.parametrize("name", ["plan", "simulate", "score"])
def test_interruptions_take_a_tenth_of_a_second(name: str, examples: Path) -> None:
    for _ in range(3):
        calls, sleeps = interruption_delays(name, examples, 7)
        # What the machine alone takes for a sleeping process does not count; one of three rounds is on a machine that is not too busy.
        if statistics.median(calls) < 0.1 + max(sleeps):
            return
    pytest.fail(f"interruptions take {sorted(calls)} seconds, and {sorted(sleeps)} of a sleeping process")


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
