"""Use a game as the reward of a thousand environments, stepped together."""

import numpy as np

import goalspec

WORLD = """
name = "tank"
[types]
tank = {}
[objects]
tank = { type = "tank", name = "tank" }
[attributes]
level = { kind = "real", of = "tank", required = true }
[functions]
level = { parameters = "?t - tank", attribute = "level" }
"""
GAME = """
(define (game fill) (:domain tank)
    (:constraints (preference filled (exists (?t - tank) (then (once (< (level ?t) 1)) (once (>= (level ?t) 1))))))
    (:terminal (>= (count filled) 2))
    (:scoring (count filled)))
"""
ENVIRONMENTS = 1000

library = goalspec.loads(GAME, name="fill.game", files={"tank.world.toml": WORLD})
monitor = goalspec.VectorMonitor(library, ENVIRONMENTS, ["tank.level"])
generator = np.random.default_rng(0)
total = 0.0
for _ in range(50):
    levels = generator.uniform(0, 2, (ENVIRONMENTS, 1))
    verdict = monitor.step(levels)
    total += verdict.reward.sum()
    monitor.reset(verdict.done)
print(f"mean reward per environment and step: {total / ENVIRONMENTS / 50:.3f}")
print(dict(zip(monitor.state_names, monitor.state().mean(axis=0).round(2).tolist(), strict=True)))
