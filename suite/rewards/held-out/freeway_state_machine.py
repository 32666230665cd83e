from ocatari.ram.freeway import *


class CrossingTracker:
    """A finite state machine over the progress of the chicken."""

    WAITING, CROSSING, HIT, ARRIVED = range(4)
    TRANSITIONS = {
        (WAITING, "up"): CROSSING,
        (CROSSING, "down"): HIT,
        (CROSSING, "top"): ARRIVED,
        (HIT, "up"): CROSSING,
        (ARRIVED, "bottom"): WAITING,
        (HIT, "bottom"): WAITING,
    }

    def __init__(self):
        self.state = self.WAITING
        self.visits = [0] * 4

    def classify(self, chicken):
        if chicken.y < 14:
            return "top"
        if chicken.y > 180:
            return "bottom"
        if chicken.dy < 0:
            return "up"
        return "down" if chicken.dy > 0 else None

    def feed(self, symbol):
        previous = self.state
        self.state = self.TRANSITIONS.get((self.state, symbol), self.state)
        changed = previous != self.state
        if changed:
            self.visits[self.state] += 1
        return changed


tracker = CrossingTracker()
REWARDS = [-0.01, 0.02, -0.5, 1.0]


def reward_function(objects):
    changed = tracker.feed(tracker.classify(objects[0]))
    reward = REWARDS[tracker.state]
    if changed:
        reward *= 2
    return reward + 0.0001 * tracker.visits[CrossingTracker.HIT]
