from ocatari.ram.boxing import *

MILESTONES = (5, 10, 20, 40, 80)


class Progress:
    def __init__(self, milestones):
        self._pending = list(milestones)
        self._reached = []

    def update(self, value):
        while self._pending and value >= self._pending[0]:
            self._reached.append(self._pending.pop(0))
            yield self._reached[-1]

    def __len__(self):
        return len(self._reached)


mine, theirs = Progress(MILESTONES), Progress(MILESTONES[:2])


def reward_function(objects):
    scores = {o.category: o for o in objects if o.hud and hasattr(o, "value")}
    me, other = scores["PlayerScore"].value, scores["EnemyScore"].value
    reward = 0.1 * (scores["PlayerScore"].value - scores["PlayerScore"].prev_value)
    for milestone in mine.update(me):
        reward += milestone / 10
    reward -= sum(m / 10 for m in theirs.update(other))
    reward += 0.01 * (len(mine) - len(theirs))
    clock = next(o for o in objects if isinstance(o, Clock))
    return reward + clock.w / 1e4
