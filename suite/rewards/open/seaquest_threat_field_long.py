"""
Seaquest reward: a potential field over the screen.

Every enemy adds a repulsive Gaussian, every diver an attractive one. The reward is the change of the potential at
the position of the player (potential-based shaping), plus events.
"""
from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import Any, ClassVar, Iterator

from ocatari.ram.seaquest import *


@dataclass(frozen=True)
class Source:
    """A source of the field."""

    x: float
    y: float
    strength: float
    radius: float = 25.0

    def at(self, x: float, y: float) -> float:
        d2 = (self.x - x) ** 2 + (self.y - y) ** 2
        return self.strength * math.exp(-d2 / (2 * self.radius ** 2))


@dataclass
class Field:
    sources: list[Source] = field(default_factory=list)

    STRENGTH: ClassVar[dict[str, tuple[float, float]]] = {
        "Shark": (-1.0, 18.0),
        "Submarine": (-1.2, 22.0),
        "SurfaceSubmarine": (-1.5, 25.0),
        "EnemyMissile": (-0.8, 12.0),
        "Diver": (0.9, 30.0),
    }

    @classmethod
    def of(cls, objects: list[Any]) -> Field:
        made = cls()
        for obj in objects:
            if obj.category in cls.STRENGTH:
                strength, radius = cls.STRENGTH[obj.category]
                x, y = obj.center
                made.sources.append(Source(x + obj.dx, y + obj.dy, strength, radius))
        return made

    def at(self, x: float, y: float) -> float:
        return sum(source.at(x, y) for source in self.sources)

    def gradient(self, x: float, y: float, h: float = 1.0) -> tuple[float, float]:
        gx = (self.at(x + h, y) - self.at(x - h, y)) / (2 * h)
        gy = (self.at(x, y + h) - self.at(x, y - h)) / (2 * h)
        return gx, gy

    def __len__(self) -> int:
        return len(self.sources)

    def __iter__(self) -> Iterator[Source]:
        return iter(self.sources)


class Shaper:
    def __init__(self, gamma: float = 0.99, memory: int = 8) -> None:
        self.gamma = gamma
        self.values: deque[float] = deque(maxlen=memory)
        self.collected = 0

    def potential_term(self, value: float) -> float:
        before = self.values[-1] if self.values else value
        self.values.append(value)
        return self.gamma * value - before

    def events(self, collected: int, alive: bool) -> float:
        reward = 0.0
        if collected > self.collected:
            reward += 0.5 * (collected - self.collected)
        elif collected < self.collected:
            reward += 2.0 if self.collected == 6 else -0.5
        self.collected = collected
        return reward if alive else reward - 1.0


shaper = Shaper()


def reward_function(objects: list[Any]) -> float:
    player = next((o for o in objects if isinstance(o, Player)), None)
    collected = sum(1 for o in objects if isinstance(o, CollectedDiver))
    reward = shaper.events(collected, player is not None)
    if player is None:
        return reward
    space = Field.of(objects)
    x, y = player.center
    reward += shaper.potential_term(space.at(x, y))
    gx, gy = space.gradient(x, y)
    length = math.hypot(gx, gy)
    if length > 1e-6:
        alignment = (player.dx * gx + player.dy * gy) / length
        reward += 0.01 * alignment
    attractive = [s for s in space if s.strength > 0]
    if attractive and len(space) > len(attractive):
        reward += 0.005
    return reward
