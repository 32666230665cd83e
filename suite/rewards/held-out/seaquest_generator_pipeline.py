"""Dense reward for Seaquest.

The reward is a pipeline of generators:
 1. threats   - everything that can kill the submarine, with its distance
 2. weighted  - a soft penalty for each of them
"""
from ocatari.ram.seaquest import *

DANGER_RADIUS = 40.0


def by_type(objects, *types):
    for obj in objects:
        if isinstance(obj, types):
            yield obj


def threats(objects, player):
    yield from ((o, player.manathan_distance(o)) for o in by_type(objects, Shark, Submarine))
    for missile in by_type(objects, EnemyMissile):
        # missiles are fast, so they count as nearer than they are
        yield missile, 0.5 * player.manathan_distance(missile)


def weighted(pairs):
    for obj, distance in pairs:
        if distance > DANGER_RADIUS:
            continue
        yield (1.0 - distance / DANGER_RADIUS) ** 2


def reward_function(objects):
    player = next(by_type(objects, Player), None)
    if player is None:
        return -1.0
    penalty = sum(weighted(threats(objects, player)))
    rescued = sum(1 for _ in by_type(objects, CollectedDiver))
    return 0.05 * rescued - 0.3 * penalty
