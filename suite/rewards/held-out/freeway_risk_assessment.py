"""Risk-aware reward for Freeway."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterable

from ocatari.ram.freeway import *


@dataclass(frozen=True)
class Threat:
    lane: int
    time: float

    def risk(self, horizon: float = 20.0) -> float:
        if self.time < 0 or self.time > horizon:
            return 0.0
        return math.exp(-self.time / 5)


def time_to_contact(car: Car, x: float) -> float:
    gap = x - car.x if car.dx > 0 else car.x - x
    speed = abs(car.dx)
    if speed == 0:
        return math.inf
    return gap / speed


def threats(cars: Iterable[Car], chicken: Chicken) -> list[Threat]:
    found = []
    for car in cars:
        lane = (chicken.y - car.y) // 16
        if -1 <= lane <= 2:
            found.append(Threat(lane, time_to_contact(car, chicken.x)))
    return found


def reward_function(objects):
    chicken = objects[0]
    cars = [o for o in objects if isinstance(o, Car)]
    all_threats = threats(cars, chicken)
    risk = 1 - math.prod(1 - t.risk() for t in all_threats)
    progress = -chicken.dy / 6
    unique = len(set(all_threats))
    return 0.2 * progress - risk * (1.5 if chicken.dy < 0 else 1.0) + 0.001 * unique
