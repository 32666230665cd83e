from dataclasses import dataclass, field
from typing import List, Optional

from ocatari.ram.spaceinvaders import *


@dataclass(slots=True)
class Observation:
    player: Optional[Player] = None
    aliens: List[Alien] = field(default_factory=list)
    own_shots: List[Bullet] = field(default_factory=list)
    enemy_shots: List[Bullet] = field(default_factory=list)

    @classmethod
    def from_objects(cls, objects) -> "Observation":
        obs = cls()
        for o in objects:
            if isinstance(o, Player):
                obs.player = o
            elif isinstance(o, Alien):
                obs.aliens.append(o)
            elif isinstance(o, Bullet):
                (obs.own_shots if o.dy < 0 else obs.enemy_shots).append(o)
        return obs

    @property
    def front(self) -> int:
        return max((a.y for a in self.aliens), default=0)


@dataclass(frozen=True, kw_only=True)
class Config:
    dodge: float = 0.2
    aim: float = 0.3
    front: float = 0.1


CONFIG = Config(aim=0.25)


def reward_function(objects):
    obs = Observation.from_objects(objects)
    if obs.player is None:
        return -CONFIG.dodge * 5
    r = -CONFIG.front * obs.front / 200
    for shot in obs.enemy_shots:
        if abs(shot.x - obs.player.x) < 6:
            r -= CONFIG.dodge * shot.y / 200
    for shot in obs.own_shots:
        if any(abs(a.x + 4 - shot.x) < 5 and a.y < shot.y for a in obs.aliens):
            r += CONFIG.aim
    return r
