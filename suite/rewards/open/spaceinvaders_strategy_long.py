"""
Space Invaders: a reward that switches between strategies.

A strategy is chosen by the stage of the game and gives a score; the reward is the change of the score of the current
strategy plus a bonus for good changes of the strategy.
"""
from abc import ABC, abstractmethod
from enum import Enum, auto
from typing import Dict, List, Optional

from ocatari.ram.spaceinvaders import *


class Stage(Enum):
    OPENING = auto()
    MIDDLE = auto()
    ENDGAME = auto()

    @classmethod
    def from_count(cls, count: int) -> "Stage":
        if count > 28:
            return cls.OPENING
        return cls.MIDDLE if count > 10 else cls.ENDGAME


class View:
    """What the strategies look at."""

    def __init__(self, objects):
        self.player: Optional[Player] = None
        self.aliens: List[Alien] = []
        self.shots: List[Bullet] = []
        self.bombs: List[Bullet] = []
        self.shields: List[Shield] = []
        self.satellite = None
        handlers = {
            "Player": lambda o: setattr(self, "player", o),
            "Alien": self.aliens.append,
            "Shield": self.shields.append,
            "Satellite": lambda o: setattr(self, "satellite", o),
        }
        for obj in objects:
            if obj.category == "Bullet":
                (self.shots if obj.dy < 0 else self.bombs).append(obj)
            else:
                handlers.get(obj.category, lambda o: None)(obj)

    @property
    def stage(self) -> Stage:
        return Stage.from_count(len(self.aliens))

    def columns(self) -> Dict[int, List[Alien]]:
        found: Dict[int, List[Alien]] = {}
        for alien in self.aliens:
            found.setdefault(alien.x // 16, []).append(alien)
        return found


class Strategy(ABC):
    name = "strategy"

    @abstractmethod
    def score(self, view: View) -> float: ...

    def safety(self, view: View) -> float:
        x = view.player.x
        threats = [b for b in view.bombs if abs(b.x - x) < 10]
        covered = any(s.x <= x <= s.x + s.w for s in view.shields)
        return -sum(b.y / 200 for b in threats) * (0.5 if covered else 1.0)


class EdgeColumns(Strategy):
    """Clear the outer columns first, so that the formation needs longer to come down."""

    name = "edges"

    def score(self, view):
        columns = view.columns()
        if not columns:
            return 1.0
        outer = [columns[min(columns)], columns[max(columns)]]
        remaining = sum(map(len, outer))
        return (12 - remaining) / 12 + self.safety(view)


class LowestFirst(Strategy):
    name = "lowest"

    def score(self, view):
        if not view.aliens:
            return 1.0
        lowest = max(view.aliens, key=lambda a: (a.y, -abs(a.x - view.player.x)))
        return 1 - abs(lowest.x - view.player.x) / 160 + self.safety(view)


class Hunt(LowestFirst):
    name = "hunt"

    def score(self, view):
        base = super().score(view)
        if view.satellite is not None:
            base += 0.5 * (1 - abs(view.satellite.x - view.player.x) / 160)
        return base + 0.1 * len(view.shots)


STRATEGIES = {Stage.OPENING: EdgeColumns(), Stage.MIDDLE: LowestFirst(), Stage.ENDGAME: Hunt()}
memory = {"stage": None, "score": 0.0}


def reward_function(objects):
    view = View(objects)
    if view.player is None:
        return -1.0
    stage = view.stage
    strategy = STRATEGIES[stage]
    score = strategy.score(view)
    reward = score - memory["score"] if memory["stage"] is stage else 0.2
    memory.update(stage=stage, score=score)
    return reward + 0.001 * len(strategy.name) + 0.0001 * stage.value
