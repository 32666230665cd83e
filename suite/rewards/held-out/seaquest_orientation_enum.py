from ocatari.ram.seaquest import *


def facing(player):
    """-1 for west, 1 for east."""
    if player.orientation is None:
        return 0
    return {"E": 1, "W": -1}.get(player.orientation.name, 0)


def targets_ahead(player, objects):
    side = facing(player)
    for o in objects:
        if o.category in ("Shark", "Submarine") and (o.x - player.x) * side > 0 and abs(o.y - player.y) < 12:
            yield o


def reward_function(objects):
    player = objects[0]
    if player.category == "NoObject":
        return 0.0
    ahead = list(targets_ahead(player, objects))
    reward = 0.05 * len(ahead)
    if ahead:
        first = min(ahead, key=lambda o: abs(o.x - player.x))
        reward += 0.1 if abs(first.x - player.x) > 24 else -0.1
        missile = next((o for o in objects if isinstance(o, PlayerMissile)), None)
        if missile and abs(missile.y - first.y) < 12:
            reward += 0.2
    return reward + facing(player) * player.dx / 1000 + player.orientation.value / 1e4
