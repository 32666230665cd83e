# finds: state-leak
from ocatari.ram.seaquest import *

class Shaper:
    last_x = None

    @classmethod
    def shape(cls, player):
        delta = 0 if cls.last_x is None else abs(player.x - cls.last_x)
        cls.last_x = player.x
        return delta

def reward_function(objects):
    player = next((o for o in objects if isinstance(o, Player)), None)
    if player is None:
        return 0.0
    return min(1.0, 0.01 * Shaper.shape(player))
