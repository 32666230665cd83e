import math

from ocatari.ram.boxing import *


class Vec2:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vec2(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vec2(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vec2(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __truediv__(self, k):
        return Vec2(self.x / k, self.y / k)

    def __neg__(self):
        return Vec2(-self.x, -self.y)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __eq__(self, other):
        return isinstance(other, Vec2) and (self.x, self.y) == (other.x, other.y)

    def __bool__(self):
        return self.x != 0 or self.y != 0

    def __iter__(self):
        yield self.x
        yield self.y

    def __getitem__(self, index):
        return (self.x, self.y)[index]


def reward_function(objects):
    me, other = objects[:2]
    a, b = Vec2(*me.center), Vec2(*other.center)
    velocity = Vec2(me.dx, me.dy)
    to_enemy = b - a
    direction = to_enemy / (abs(to_enemy) or 1)
    reward = 0.02 * (velocity @ direction)
    if velocity and -velocity == Vec2(other.dx, other.dy):
        reward += 0.1
    predicted = a + 2 * velocity
    reward += 0.1 if abs(b - predicted) < 45 else 0.0
    x, y = to_enemy
    return reward - (abs(x) + abs(to_enemy[1])) / 5000
