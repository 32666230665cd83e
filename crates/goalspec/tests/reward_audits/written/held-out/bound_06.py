# finds: unbounded
# An episode begins with a paddle that moves from where it was made, which resets the combo.
from ocatari.ram.pong import *

combo = 1.0

def reward_function(objects):
    global combo
    player = next((o for o in objects if isinstance(o, Player)), None)
    if player is None:
        return 0.0
    if player.dy == 0:
        combo += 0.5
    else:
        combo = 1.0
    return 0.01 * combo
