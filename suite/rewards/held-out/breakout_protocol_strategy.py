from typing import Callable, Iterable, List, Protocol, Tuple, runtime_checkable

from ocatari.ram.breakout import *


@runtime_checkable
class RewardTerm(Protocol):
    name: str

    def evaluate(self, objects) -> float: ...


class BallHeight:
    name = "ball_height"

    def evaluate(self, objects) -> float:
        return sum((210 - o.y) / 210 for o in objects if isinstance(o, Ball))


class BlockCount:
    def __init__(self, total: int = 108) -> None:
        self.name = "blocks"
        self.total = total

    def evaluate(self, objects) -> float:
        return 1 - sum(isinstance(o, Block) for o in objects) / self.total


class NotATerm:
    pass


def collect(candidates: Iterable[object]) -> List[RewardTerm]:
    return [c for c in candidates if isinstance(c, RewardTerm)]


Weighting = Callable[[str], float]
PAIRS: Tuple[Tuple[str, float], ...] = (("ball_height", 0.1), ("blocks", 0.9))
weight: Weighting = dict(PAIRS).__getitem__
TERMS = collect([BallHeight(), NotATerm(), BlockCount()])


def reward_function(objects: list) -> float:
    return sum(weight(t.name) * t.evaluate(objects) for t in TERMS)
