from __future__ import annotations

from typing import Final, Literal, TypedDict

from ocatari.ram.freeway import *

Direction = Literal["up", "down", "still"]
LANE_HEIGHT: Final = 16
SIDEWALK: Final[int] = 187


class ChickenState(TypedDict, total=False):
    lane: int
    direction: Direction
    danger: float


def direction_of(dy: int) -> Direction:
    if dy < 0:
        return "up"
    return "down" if dy > 0 else "still"


def describe(chicken, cars) -> ChickenState:
    state: ChickenState = {"lane": (SIDEWALK - chicken.y) // LANE_HEIGHT, "direction": direction_of(chicken.dy)}
    ahead = [c for c in cars if chicken.y - 20 <= c.y <= chicken.y]
    if ahead:
        state["danger"] = min(1.0, 10 / (1 + min(abs(c.x - chicken.x) for c in ahead)))
    return state


REWARDS: dict[Direction, float] = {"up": 0.1, "down": -0.1, "still": -0.01}


def reward_function(objects) -> float:
    chickens = [o for o in objects if isinstance(o, Chicken)]
    cars = [o for o in objects if isinstance(o, Car)]
    state = describe(chickens[0], cars)
    return REWARDS[state["direction"]] + 0.02 * state["lane"] - state.get("danger", 0.0)
