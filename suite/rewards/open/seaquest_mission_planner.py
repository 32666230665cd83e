"""
Reward function for Seaquest.

The mission has phases:
    1. COLLECT - pick up divers while the oxygen lasts
    2. RETURN  - go to the surface with divers when the oxygen is low
    3. REFILL  - wait at the surface

Each phase has its own dense reward, and changes of the phase give a bonus.
All numbers are tuned so that a single step stays within [-1, 1].
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Dict, List, Optional, Tuple
import math

from ocatari.ram.seaquest import *


class Phase(Enum):
    COLLECT = "collect"
    RETURN = "return"
    REFILL = "refill"

    @property
    def is_underwater(self) -> bool:
        return self is not Phase.REFILL


@dataclass
class Config:
    surface_y: int = 50
    low_oxygen: int = 18
    full_oxygen: int = 60
    max_divers: int = 6
    danger_radius: float = 35.0
    weights: Dict[str, float] = field(
        default_factory=lambda: {
            "approach": 0.15,
            "danger": -0.4,
            "ascend": 0.2,
            "transition": 0.3,
        }
    )


@dataclass
class Snapshot:
    player: Optional[Player]
    divers: List[Diver]
    hostile: List[GameObject]
    oxygen: int
    carried: int

    @staticmethod
    def take(objects: List[GameObject]) -> "Snapshot":
        player = None
        divers, hostile = [], []
        oxygen, carried = 0, 0
        for obj in objects:
            name = obj.category
            if name == "NoObject":
                continue
            if name == "Player":
                player = obj
            elif name == "Diver":
                divers.append(obj)
            elif name in ("Shark", "Submarine", "SurfaceSubmarine", "EnemyMissile"):
                hostile.append(obj)
            elif name == "OxygenBar":
                oxygen = obj.value
            elif name == "CollectedDiver":
                carried += 1
        return Snapshot(player, divers, hostile, oxygen, carried)


class Mission:
    def __init__(self, config: Config) -> None:
        self.config = config
        self.phase = Phase.COLLECT
        self.history: List[Tuple[Phase, int]] = [(self.phase, 0)]
        self.clock = 0

    def advance(self, snap: Snapshot) -> bool:
        """Update the phase; return whether it changed."""
        self.clock += 1
        new = self._next(snap)
        if new is self.phase:
            return False
        self.phase = new
        self.history.append((new, self.clock))
        return True

    def _next(self, snap: Snapshot) -> Phase:
        cfg = self.config
        assert snap.player is not None
        if self.phase == Phase.COLLECT:
            if snap.oxygen <= cfg.low_oxygen or snap.carried >= cfg.max_divers:
                return Phase.RETURN
        elif self.phase == Phase.RETURN:
            if snap.player.y <= cfg.surface_y:
                return Phase.REFILL
        elif snap.oxygen >= cfg.full_oxygen:
            return Phase.COLLECT
        return self.phase

    def duration(self) -> int:
        _, since = self.history[-1]
        return self.clock - since


def danger(snap: Snapshot, radius: float) -> float:
    px, py = snap.player.center
    total = 0.0
    for enemy in snap.hostile:
        ex, ey = enemy.center
        # look ahead two frames
        ex += 2 * enemy.dx
        d = math.sqrt((ex - px) ** 2 + (ey - py) ** 2)
        if d < radius:
            total += (radius - d) / radius
    return min(total, 2.0)


def approach(snap: Snapshot) -> float:
    if not snap.divers:
        return 0.0
    px, py = snap.player.center
    best = min(math.dist((px, py), diver.center) for diver in snap.divers)
    return math.exp(-best / 50)


CONFIG = Config()
mission = Mission(CONFIG)


def reward_function(objects):
    snap = Snapshot.take(objects)
    if snap.player is None:
        return -0.5
    changed = mission.advance(snap)
    w = CONFIG.weights
    reward = w["danger"] * danger(snap, CONFIG.danger_radius)
    if mission.phase is Phase.COLLECT:
        reward += w["approach"] * approach(snap)
    elif mission.phase is Phase.RETURN:
        reward += w["ascend"] * (-snap.player.dy / 4)
        reward += 0.01 * snap.carried
    else:
        reward += 0.05 if snap.player.y <= CONFIG.surface_y else -0.1
    if changed:
        reward += w["transition"] / (1 + mission.duration())
    if mission.phase.is_underwater and mission.duration() > 60:
        reward -= 0.01
    return max(-1.0, min(1.0, reward))
