# clean: an episode begins with a paddle that moves from where it was made, which resets the counter
from ocatari.ram.pong import *

idle_frames = 0

def reward_function(objects):
    global idle_frames
    player = next((o for o in objects if isinstance(o, Player)), None)
    if player is None:
        return 0.0
    idle_frames = min(idle_frames + 1, 20) if player.dy == 0 else 0
    return -0.005 * idle_frames
