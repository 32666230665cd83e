from ocatari.ram.pong import *

# The court is divided into zones; the paddle should be in the zone of the ball.
ZONES = {"top": (34, 87), "middle": (87, 141), "bottom": (141, 195)}
NEIGHBOURS = {"top": ["middle"], "middle": ["top", "bottom"], "bottom": ["middle"]}


def zone_of(y):
    for name, (low, high) in ZONES.items():
        if low <= y < high:
            return name
    return "bottom" if y >= 195 else "top"


def reward_function(game_objects):
    player = next((o for o in game_objects if isinstance(o, Player)), None)
    ball = next((o for o in game_objects if isinstance(o, Ball)), None)
    if not player or not ball:
        return 0.0
    mine, its = zone_of(player.center[1]), zone_of(ball.center[1])
    if mine == its:
        reward = 0.1
    elif its in NEIGHBOURS[mine]:
        reward = -0.02
    else:
        reward = -0.1
    if ball.dx > 0 and ball.x > 100:
        reward *= 2
    return reward
