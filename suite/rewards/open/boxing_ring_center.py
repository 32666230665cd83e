from ocatari.ram.boxing import *

RING = (30, 36, 128, 174)


class Ring:
    def __init__(self, left, top, right, bottom):
        self.left, self.top, self.right, self.bottom = left, top, right, bottom

    @property
    def center(self):
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @classmethod
    def default(cls):
        return cls(*RING)

    @staticmethod
    def distance(a, b):
        return max(abs(a[0] - b[0]), abs(a[1] - b[1]))

    def corner(self, boxer, margin=12):
        near_x = min(boxer.x - self.left, self.right - (boxer.x + boxer.w)) < margin
        near_y = min(boxer.y - self.top, self.bottom - (boxer.y + boxer.h)) < margin
        return near_x and near_y


ring = Ring.default()


def reward_function(objects):
    me, other = objects[0], objects[1]
    mine = Ring.distance(me.center, ring.center)
    theirs = ring.distance(other.center, ring.center)
    reward = (theirs - mine) / 100
    if ring.corner(other):
        reward += 0.3
    if ring.corner(me):
        reward -= 0.3
    return reward
