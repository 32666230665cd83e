from dataclasses import asdict, astuple, dataclass, field, replace

from ocatari.ram.boxing import *


@dataclass(order=True)
class Reach:
    extension: int
    side: str = field(compare=False)

    @property
    def extended(self):
        return self.extension > 16


@dataclass
class Weights:
    punch: float = 0.05
    near: float = 0.02
    hit: float = 1.0
    total: float = field(init=False)

    def __post_init__(self):
        self.total = self.punch + self.near + self.hit


DEFAULT = Weights()
AGGRESSIVE = replace(DEFAULT, punch=0.1)


def reaches(boxer):
    return [Reach(boxer.right_arm_length, "right"), Reach(boxer.left_arm_length, "left")]


def reward_function(objects):
    me, other, my_score, other_score = objects[:4]
    longest = max(reaches(me))
    weights = AGGRESSIVE if my_score.value <= other_score.value else DEFAULT
    terms = {"punch": float(longest.extended), "near": 1 - abs(me.x - other.x) / 160, "hit": my_score.value_diff}
    reward = sum(asdict(weights)[name] * value for name, value in terms.items())
    reward -= other_score.value_diff * weights.hit
    return reward / weights.total + astuple(longest)[0] / 1000
