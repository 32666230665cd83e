from dataclasses import dataclass
from typing import Optional, Union

from ocatari.ram.pong import *


@dataclass
class Point:
    x: float
    y: float


@dataclass
class Move:
    start: Point
    end: Point


@dataclass
class Stay:
    at: Point


Step = Union[Move, Stay]


class Line:
    __match_args__ = ("slope", "offset")

    def __init__(self, slope, offset):
        self.slope, self.offset = slope, offset


def step_of(obj) -> Optional[Step]:
    if not obj:
        return None
    now = Point(obj.x, obj.y)
    if obj.dx == 0 and obj.dy == 0:
        return Stay(now)
    return Move(Point(obj.prev_x, obj.prev_y), now)


def value(step: Optional[Step]) -> float:
    match step:
        case None:
            return 0.0
        case Stay(Point(x=x)):
            return x / 1000
        case Move(Point(x0, y0), Point(x1, y1)) if x1 > x0:
            return 0.1 + (y1 - y0) / 100
        case Move(start=Point(y=y0), end=Point(y=y1) as end):
            return -0.1 + (y1 - y0) / 100 + end.x / 1e4
    raise AssertionError(step)


def bounce(line):
    match line:
        case Line(0, _):
            return 0.0
        case Line(slope, offset) if -1 <= slope <= 1:
            return slope / 10 + offset / 1e5
        case Line(float() as slope):
            return slope / 100


def reward_function(objects):
    total = sum(value(step_of(o)) for o in objects)
    ball = objects[1]
    if ball and ball.dx:
        slope = ball.dy / ball.dx
        total += bounce(Line(slope, ball.y - slope * ball.x))
    return total
