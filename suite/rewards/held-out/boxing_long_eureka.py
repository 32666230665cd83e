import numpy as np
from typing import Dict, Tuple

from ocatari.ram.boxing import *


def _unpack(objects) -> dict:
    me, other, my_score, other_score = objects[:4]
    return {
        "me": np.array(me.center),
        "other": np.array(other.center),
        "velocity": np.array([me.dx, me.dy], dtype=float),
        "arms": np.array([me.right_arm_length, me.left_arm_length], dtype=float),
        "other_arms": np.array([other.right_arm_length, other.left_arm_length], dtype=float),
        "score": float(my_score.value),
        "other_score": float(other_score.value),
        "gained": float(my_score.value_diff),
        "lost": float(other_score.value_diff),
    }


def _gaussian(x: float, mean: float, sigma: float) -> float:
    return float(np.exp(-0.5 * ((x - mean) / sigma) ** 2))


def compute_reward(objects) -> Tuple[float, Dict[str, float]]:
    # --- parameters -------------------------------------------------
    ideal_distance = 32.0
    distance_sigma = 12.0
    punch_temperature = 0.1
    score_temperature = 1.0
    defense_temperature = 0.05
    movement_temperature = 0.01

    s = _unpack(objects)

    # --- distance ---------------------------------------------------
    offset = s["other"] - s["me"]
    horizontal, vertical = np.abs(offset)
    distance_reward = _gaussian(horizontal, ideal_distance, distance_sigma)
    alignment_reward = _gaussian(vertical, 0.0, 15.0)

    # --- punches ----------------------------------------------------
    extension = s["arms"].max()
    punch_reward = float(np.tanh(punch_temperature * extension)) * distance_reward

    # --- score ------------------------------------------------------
    score_reward = score_temperature * (s["gained"] - s["lost"])
    lead = float(np.clip((s["score"] - s["other_score"]) / 10.0, -1.0, 1.0))

    # --- defence ----------------------------------------------------
    threat = s["other_arms"].max() / 32.0
    defense_penalty = -defense_temperature * threat * alignment_reward

    # --- movement ---------------------------------------------------
    towards = float(np.dot(s["velocity"], np.sign(offset)))
    movement_reward = movement_temperature * towards if horizontal > ideal_distance else 0.0

    components = {
        "distance": 0.2 * distance_reward,
        "alignment": 0.1 * alignment_reward,
        "punch": punch_reward,
        "score": score_reward,
        "lead": 0.05 * lead,
        "defense": float(defense_penalty),
        "movement": movement_reward,
    }
    total = sum(components.values())
    return float(total), components
