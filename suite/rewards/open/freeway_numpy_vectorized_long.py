"""Vectorised safety margin for Freeway, with a small planner over the next lanes."""
import numpy as np
from typing import Dict, Tuple

from ocatari.ram.freeway import *

N_LANES = 10
LANE_Y = 27 + 16 * np.arange(N_LANES)
STEP = 6
CHICKEN_WIDTH = 6
CAR_WIDTH = 8


def car_table(objects) -> np.ndarray:
    """One row for each car: x, y, velocity; sorted by y."""
    rows = [(o.x, o.y, o.dx) for o in objects if isinstance(o, Car)]
    table = np.array(rows, dtype=np.float64)
    return table[np.argsort(table[:, 1])]


def occupancy(table: np.ndarray, horizon: int) -> np.ndarray:
    """Whether the column of the chicken is occupied: lanes x time."""
    times = np.arange(horizon)
    x = table[:, 0][:, None] + table[:, 2][:, None] * times[None, :]
    x = np.mod(x + 8, 168) - 8
    left, right = 44 - CAR_WIDTH, 44 + CHICKEN_WIDTH
    return np.logical_and(x > left, x < right)


def plan(occupied: np.ndarray, y: int) -> Tuple[int, int]:
    """Simulates walking up; returns the lanes that are free and the time of the first hit."""
    horizon = occupied.shape[1]
    free, hit = 0, horizon
    for t in range(horizon):
        position = y - STEP * t
        lane = int(np.argmin(np.abs(LANE_Y - position)))
        if abs(LANE_Y[lane] - position) > 8:
            continue
        if occupied[lane, t]:
            hit = t
            break
        free += 1
    return free, hit


def compute_reward(objects) -> Tuple[float, Dict[str, float]]:
    chicken = objects[0]
    table = car_table(objects)
    occupied = occupancy(table, 12)
    free, hit = plan(occupied, chicken.y)
    density = occupied.mean(axis=1)
    near = density[np.abs(LANE_Y - chicken.y) < 40]
    components = {
        "progress": float(np.clip((187 - chicken.y) / 187, 0, 1)),
        "free": free / 12,
        "hit": -1.0 / (1 + hit),
        "density": -float(near.mean()) if near.size else 0.0,
        "speed": -float(np.average(np.abs(table[:, 2]), weights=density + 0.1)) / 50,
        "gap": float(np.percentile(np.diff(np.sort(table[:, 0])), 50)) / 100,
    }
    weights = np.array([1.0, 0.3, 0.5, 0.2, 0.1, 0.05])
    values = np.array([components[k] for k in components])
    total = float((weights * values).sum())
    return total, components
