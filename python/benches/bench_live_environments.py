"""CPU time of monitors and reward functions in live environments, in nanoseconds per environment and step.

Run with an optimised wheel: ``maturin build --profile dist``. ``cargo bench -p goalspec --bench environments`` measures the engine of the
monitors alone, on the same game and states.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import goalspec
from goalspec.gym import GoalReward

ENVIRONMENTS = 1024
THINGS = 10
STEPS = 64
REPEATS = 20

WORLD = """name = "shelf"
[types]
thing = {}
[objects]
"t{n}" = { type = "thing", count = 10 }
[attributes]
height = { kind = "real", of = "thing", required = true }
[functions]
height = { parameters = "?t - thing", attribute = "height" }
"""
GAME = """(define (game lifts) (:domain shelf)
    (:constraints (and
        (preference lifted (exists (?t - thing)
            (then (once (< (height ?t) 1)) (hold (> (height ?t) 1)) (once (> (height ?t) 9)))))))
    (:scoring (count lifted)))
"""
PONG = """from ocatari.ram.pong import Ball, Enemy, Player

def reward_function(objects):
    player = next((one for one in objects if isinstance(one, Player)), None)
    ball = next((one for one in objects if isinstance(one, Ball)), None)
    if player is None or ball is None:
        return 0.0
    distance = abs(player.center[1] - ball.center[1])
    return 1.0 - distance / 100 if ball.dx > 0 else 0.0
"""
FREEWAY = """from ocatari.ram.freeway import Car, Chicken

def reward_function(objects):
    chicken, cars = None, []
    for one in objects:
        if isinstance(one, Chicken) and chicken is None:
            chicken = one
        elif isinstance(one, Car):
            cars.append(one)
    if chicken is None:
        return 0.0
    reward = -0.1 * chicken.dy
    for car in cars:
        if abs(car.y - chicken.y) < 8 and abs(car.x - chicken.x) < 10:
            reward -= 1.0
    return reward
"""


def best(run: Callable[[], object], steps: int) -> float:
    """Return the nanoseconds of a step in the fastest of several runs."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times) / steps * 1e9


def shelf() -> goalspec.Library:
    return goalspec.loads(WORLD, name="shelf.world.toml").add(GAME, name="lifts.game")


def monitors(changes: int) -> float:
    """Step the monitors of all environments; ``changes`` things change in each step."""
    vector = goalspec.VectorMonitor(shelf(), ENVIRONMENTS, [f"t{number}.height" for number in range(THINGS)])
    heights, states = np.zeros((ENVIRONMENTS, THINGS)), []
    environments = np.arange(ENVIRONMENTS)
    for step in range(STEPS):
        for change in range(changes):
            things = (step + environments + change) % THINGS
            heights[environments, things] = (step * 7 + environments * 3 + things) % 11
        states.append(heights.copy())

    def run() -> None:
        for state in states:
            vector.step(state)
        vector.reset()

    return best(run, ENVIRONMENTS * STEPS)


class Lift(gymnasium.Env[Any, Any]):
    """An environment whose steps take next to no time."""

    def __init__(self) -> None:
        self.observation_space = gymnasium.spaces.Box(-100.0, 100.0, (THINGS,))
        self.action_space = gymnasium.spaces.Discrete(2)
        self.states = [np.full(THINGS, float(step % 11), np.float32) for step in range(11)]
        self.time = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        self.time = 0
        return self.states[0], {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.time += 1
        return self.states[self.time % 11], 0.0, False, False, {}


def goal_reward() -> float:
    """Step an environment with a reward; the time of the environment alone is subtracted."""
    steps = 2000

    def steps_of(env: gymnasium.Env[Any, Any]) -> Callable[[], None]:
        def run() -> None:
            env.reset()
            for _ in range(steps):
                env.step(0)

        return run

    columns = [f"t{number}.height" for number in range(THINGS)]
    wrapped = GoalReward(Lift(), shelf(), lambda env, observation, info: observation, columns=columns)
    return best(steps_of(wrapped), steps) - best(steps_of(Lift()), steps)


def rewards(program: str, name: str, classes: list[str]) -> tuple[float, float]:
    """Call a reward function from boxes and from RAM."""
    function = goalspec.RewardFunction(goalspec.loads(program, name=name))
    random = np.random.default_rng(0)
    boxes = random.integers(10, 150, (ENVIRONMENTS, len(classes), 4), np.int32)
    vector = function.vector(ENVIRONMENTS, objects=classes)

    def from_boxes() -> None:
        for _ in range(STEPS):
            vector.step(boxes)

    ram = random.integers(0, 256, (ENVIRONMENTS, 128), np.uint8)
    consoles = function.vector(ENVIRONMENTS)

    def from_ram() -> None:
        for _ in range(STEPS):
            consoles.step_ram(ram)

    return best(from_boxes, ENVIRONMENTS * STEPS), best(from_ram, ENVIRONMENTS * STEPS)


def import_time() -> float:
    """Return the milliseconds of importing the package after numpy."""
    code = "import time, numpy; start = time.perf_counter(); import goalspec; print((time.perf_counter() - start) * 1e3)"
    times = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(5)]
    return min(times)


def main() -> None:
    print(f"monitors, one thing changes: {monitors(1):.0f} ns")
    print(f"monitors, all things change: {monitors(THINGS):.0f} ns")
    print(f"GoalReward: {goal_reward():.0f} ns")
    for name, program, classes in (
        ("pong.py", PONG, ["Player", "Enemy", "Ball"]),
        ("freeway.py", FREEWAY, ["Chicken", "Chicken", *["Car"] * 10]),
    ):
        boxes, ram = rewards(program, name, classes)
        print(f"{name}: {boxes:.0f} ns from arrays, {ram:.0f} ns from RAM")
    print(f"import beside numpy: {import_time():.0f} ms")


if __name__ == "__main__":
    main()
