# finds: level-reward, state-leak
from ocatari.ram.freeway import *

class ProgressTracker:
    def __init__(self):
        self.crossings = 0
        self.last_y = None

    def step(self, chicken):
        if self.last_y is not None and chicken.y < 100 <= self.last_y:
            self.crossings += 1
        self.last_y = chicken.y
        return 0.25 * self.crossings

tracker = ProgressTracker()

def reward_function(objects):
    return tracker.step(objects[0])
