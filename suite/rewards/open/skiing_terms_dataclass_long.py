"""Skiing reward with one dataclass for each kind of term and a report of the terms."""
from dataclasses import dataclass, fields
from typing import Dict, List, Tuple

from ocatari.ram.skiing import *


@dataclass
class Obstacle:
    name: str
    x: float
    y: float
    w: float
    h: float

    @classmethod
    def from_object(cls, obj):
        return cls(obj.category, obj.x, obj.y, obj.w, obj.h)

    def gap(self, other: "Obstacle") -> Tuple[float, float]:
        """Horizontal and vertical distance between the boxes, 0 if they overlap."""
        dx = max(0.0, max(self.x, other.x) - min(self.x + self.w, other.x + other.w))
        dy = max(0.0, max(self.y, other.y) - min(self.y + self.h, other.y + other.h))
        return dx, dy


@dataclass
class Terms:
    collision: float = 0.0
    proximity: float = 0.0
    gate: float = 0.0
    speed: float = 0.0
    heading: float = 0.0

    def total(self, weights: "Terms") -> float:
        return sum(getattr(self, f.name) * getattr(weights, f.name) for f in fields(self))

    def as_dict(self) -> Dict[str, float]:
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name)}


WEIGHTS = Terms(collision=-1.0, proximity=-0.3, gate=0.8, speed=0.05, heading=-0.02)


def gate_term(player: Obstacle, flags: List[Obstacle]) -> float:
    upcoming = [f for f in flags if f.y + f.h >= player.y]
    if len(upcoming) < 2:
        return 0.0
    first = min(upcoming, key=lambda f: f.y)
    pair = [f for f in upcoming if abs(f.y - first.y) < 5]
    if len(pair) < 2:
        return 0.0
    left, right = min(f.x for f in pair), max(f.x for f in pair)
    if left < player.x < right:
        return 1.0
    miss = left - player.x if player.x <= left else player.x - right
    return -min(1.0, miss / 60)


def compute_reward(objects):
    skier = objects[0]
    player = Obstacle.from_object(skier)
    others = [Obstacle.from_object(o) for o in objects[1:] if o]
    terms = Terms()
    for other in others:
        if other.name == "Flag":
            continue
        dx, dy = player.gap(other)
        if dx == dy == 0:
            terms.collision += 1.0 if other.name == "Tree" else 0.4
        elif dx < 12 and dy < 24:
            terms.proximity += (12 - dx) / 12 * (24 - dy) / 24
    terms.gate = gate_term(player, [o for o in others if o.name == "Flag"])
    terms.speed = max((abs(o.dy) for o in objects if o.category != "Player"), default=0)
    terms.heading = abs(skier.orientation - 8)
    return terms.total(WEIGHTS), terms.as_dict()
