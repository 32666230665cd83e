# finds: unbounded, state-leak
from ocatari.ram.seaquest import *

class Reward:
    def __init__(self):
        self.total = 0.0

    def __call__(self, objects):
        player = next((o for o in objects if isinstance(o, Player)), None)
        if player is not None:
            self.total += 0.01
            if player.y < 50:
                self.total -= 0.005
        return self.total

_reward = Reward()

def reward_function(objects):
    return _reward(objects)
