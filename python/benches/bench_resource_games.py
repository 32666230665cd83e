"""Throughput of resource graph games as environments, in turns per second of CPU time.

Run with an optimised wheel: ``maturin build --profile dist``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from goalspec import petting
from goalspec.gym import ResourceEnv, ResourceVectorEnv

GAMES = sys.argv[1:] or ["@berries"]
ENVIRONMENTS = 1024
REPEATS = 5


def best(turns: int, run: Callable[[], object]) -> float:
    """Return the turns per second of the fastest of several runs."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return turns / min(times)


def aec(game: str) -> float:
    """Play turns by the protocol of PettingZoo: ``last`` and ``step``."""
    env = petting.aec_env(game, max_turns=1000)
    turns = 20_000
    counts = {agent: len(env.action_meanings(agent)) for agent in env.possible_agents}

    def run() -> None:
        env.reset(seed=0)
        for turn in range(turns):
            _, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
            else:
                env.step(turn % 3 % counts[env.agent_selection])

    return best(turns, run)


def single(game: str) -> float:
    """Step a learner against random policies; a step is a turn of each team."""
    env = ResourceEnv(game, max_turns=1000)
    teams = len(env._game.teams)
    steps = 20_000

    def run() -> None:
        env.reset(seed=0)
        for step in range(steps):
            if any(env.step(step % 3)[2:4]):
                env.reset()

    return best(steps * teams, run)


def vector(game: str, others: str) -> tuple[float, float]:
    """Step many learners; return steps and turns per second, each step with an observation and a mask."""
    env = ResourceVectorEnv(game, ENVIRONMENTS, others=others, max_turns=1000)
    teams, rounds = len(env._game.teams), 100
    actions = np.random.default_rng(0).integers(0, len(env.action_meanings), (rounds, ENVIRONMENTS))

    def run() -> None:
        for row in actions:
            env.step(row)

    env.reset(seed=0)
    run()
    steps = best(rounds * ENVIRONMENTS, run)
    return steps, steps * teams


for name in GAMES:
    print(f"{name}: AEC {aec(name):,.0f} turns/s; ResourceEnv {single(name):,.0f} turns/s")
    for policy in ("nothing", "random"):
        steps, turns = vector(name, policy)
        print(f"  ResourceVectorEnv of {ENVIRONMENTS} against {policy}: {steps:,.0f} steps/s, {turns:,.0f} turns/s")
