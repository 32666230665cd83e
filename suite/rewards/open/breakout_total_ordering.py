from functools import total_ordering

from ocatari.ram.breakout import *


@total_ordering
class Target:
    """A block with a priority: high rows first, then blocks near the ball."""

    __slots__ = ("block", "priority")

    def __init__(self, block, ball):
        self.block = block
        self.priority = (-block.y, -abs(block.x - ball.x))

    def __eq__(self, other):
        if not isinstance(other, Target):
            return NotImplemented
        return self.priority == other.priority

    def __lt__(self, other):
        return self.priority < other.priority

    def __hash__(self):
        return hash(self.priority)

    def __repr__(self):
        return f"Target({self.block.x}, {self.block.y})"


def reward_function(objects):
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    if ball is None:
        return 0.0
    targets = [Target(b, ball) for b in objects if isinstance(b, Block)]
    if not targets:
        return 10.0
    best, worst = max(targets), min(targets)
    assert best >= worst and not best < worst
    reward = -abs(best.block.x - ball.x) / 160
    reward += 0.5 if best.block.y > 57 else 0.0
    return reward + len({*targets}) / 1000 + len(repr(worst)) / 1e4
