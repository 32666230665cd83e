from ocatari.ram.breakout import *


class Wall(list):
    """A list of blocks with a few questions."""

    @property
    def rows(self):
        return sorted({b.y for b in self})

    def in_row(self, y):
        return Wall(b for b in self if b.y == y)

    def __and__(self, other):
        return Wall(b for b in self if any(b is o for o in other))


class Score(float):
    def __add__(self, other):
        return Score(float(self) + other)

    def clipped(self, limit):
        return Score(max(-limit, min(limit, self)))


class Kind(str):
    @property
    def short(self):
        return self[:2].lower()


def reward_function(objects):
    wall = Wall(o for o in objects if isinstance(o, Block))
    ball = objects[1]
    score = Score(0)
    for rank, y in enumerate(wall.rows, 1):
        row = wall.in_row(y)
        score += (18 - len(row)) / (100 * rank)
    if ball:
        above = Wall(b for b in wall if b.y < ball.y)
        left = Wall(b for b in wall if b.x < ball.x)
        score += len(above & left) / 1000
    score += len(Kind(objects[0].category).short) / 1000
    return score.clipped(1.5)
