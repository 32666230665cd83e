"""Fixtures: the root of the repository, and small worlds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# Sums of matrix products depend on the number of threads; training is compared bit for bit with that in processes of one thread.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

ROOT = Path(__file__).resolve().parents[2]

TANK_WORLD = """
name = "tank"
[types]
tank = {}
[objects]
tank = { type = "tank", name = "tank" }
[attributes]
level = { kind = "real", of = "tank", required = true }
count = { kind = "int", of = "tank" }
on = { kind = "bool", of = "tank" }
position = { kind = "vec3", of = "tank" }
[predicates]
leaking = { parameters = "?t - tank", stored = true }
[functions]
level = { parameters = "?t - tank", attribute = "level" }
fuel = { parameters = "?t - tank", stored = true }
"""

FILL = """
(define (game fill) (:domain tank)
    (:constraints (preference filled (exists (?t - tank) (then (once (< (level ?t) 1)) (once (>= (level ?t) 1))))))
    (:terminal (>= (count filled) 2))
    (:scoring (count filled)))
"""


@pytest.fixture
def examples() -> Path:
    """The folder of the example programs."""
    return ROOT / "examples"
