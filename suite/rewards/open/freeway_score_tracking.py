from ocatari.ram.freeway import *


class ScoreTracker:
    instances = 0

    def __new__(cls, *args, **kwargs):
        cls.instances += 1
        return super().__new__(cls)

    def __init__(self, name):
        self.name = name
        self.best = 0

    def __eq__(self, other):
        return self.name == other.name

    def __lt__(self, other):
        return (self.best, self.name) < (other.best, other.name)

    def __hash__(self):
        return hash(self.name)

    def __len__(self):
        return self.best

    def feed(self, score):
        gained = max(0, score - self.best)
        self.best = max(self.best, score)
        return gained


trackers = [ScoreTracker("left"), ScoreTracker("right")]


def reward_function(objects):
    scores = [o for o in objects if isinstance(o, Score)]
    gained = [t.feed(s.value) for t, s in zip(trackers, scores)]
    reward = gained[0] - gained[1]
    leader = max(trackers)
    reward += 0.1 if leader.name == "left" and leader else -0.01
    reward += sum(s.value_diff for s in scores) + 0.001 * sum(map(len, trackers))
    return reward + (trackers[0] in {trackers[1]}) + ScoreTracker.instances / 1000
