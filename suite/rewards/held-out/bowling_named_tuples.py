from typing import NamedTuple, Optional, Sequence

from ocatari.ram.bowling import *


class Lane(NamedTuple):
    """What matters on the lane."""

    ball: Optional[GameObject]
    pins: tuple = ()
    rolling: bool = False

    @property
    def standing(self) -> int:
        return len(self.pins)

    def spread(self) -> float:
        if not self.pins:
            return 0.0
        ys = [p.y for p in self.pins]
        return float(max(ys) - min(ys))


def read_lane(objects: Sequence[GameObject]) -> Lane:
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    pins = tuple(o for o in objects if isinstance(o, Pin))
    lane = Lane(ball, pins)
    return lane._replace(rolling=ball is not None and ball.dx > 0)


def compute_reward(objects):
    lane = read_lane(objects)
    components = {
        "down": (10 - lane.standing) / 10,
        "spread": -lane.spread() / 300,
        "rolling": 0.05 if lane.rolling else 0.0,
    }
    if lane.ball and lane.pins:
        middle = sum(p.y for p in lane.pins) / lane.standing
        components["aim"] = -abs(lane.ball.y + lane.ball.h / 2 - middle) / 100
    total = sum(components.values())
    return total, components
