from ocatari.ram.spaceinvaders import *


class Formation:
    """Iterable over the rows of the formation, top row first."""

    def __init__(self, aliens):
        self.rows = {}
        for alien in aliens:
            self.rows.setdefault(alien.y, []).append(alien)

    def __iter__(self):
        for y in sorted(self.rows):
            yield sorted(self.rows[y], key=lambda a: a.x)

    def __len__(self):
        return sum(len(row) for row in self.rows.values())

    def __contains__(self, point):
        px, py = point
        return any(a.x <= px <= a.x + a.w and a.y <= py <= a.y + a.h for row in self for a in row)

    def __reversed__(self):
        for y in sorted(self.rows, reverse=True):
            yield self.rows[y]

    def edges(self):
        for row in self:
            if row:
                yield row[0].x, row[-1].x


def reward_function(objects):
    formation = Formation([o for o in objects if o.category == "Alien"])
    if not formation:
        return 1.0
    left = min(x for x, _ in formation.edges())
    right = max(x for _, x in formation.edges())
    reward = -len(formation) / 100 + (right - left) / 1600
    shots = [o for o in objects if o.category == "Bullet"]
    reward += 0.5 * sum((s.x, s.y) in formation for s in shots)
    front = next(reversed(formation))
    return reward - front[0].y / 1000 + len(front) / 500
