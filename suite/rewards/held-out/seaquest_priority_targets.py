from enum import IntEnum

from ocatari.ram.seaquest import *


class Priority(IntEnum):
    LOW = 1
    MEDIUM = 2
    HIGH = 3
    CRITICAL = 4


def classify(obj, player):
    distance = player.manathan_distance(obj)
    if isinstance(obj, EnemyMissile):
        return Priority.CRITICAL if distance < 20 else Priority.HIGH
    if isinstance(obj, (Shark, Submarine)):
        if distance < 20:
            return Priority.CRITICAL
        return Priority.HIGH if distance < 45 else Priority.MEDIUM
    if isinstance(obj, Diver):
        return Priority.LOW
    return None


def reward_function(objects):
    players = [o for o in objects if isinstance(o, Player)]
    if not players:
        return -float(Priority.CRITICAL)
    player = players[0]
    levels = {}
    for obj in objects:
        if (level := classify(obj, player)) is not None:
            levels.setdefault(level, []).append(obj)
    reward = 0.0
    for level in sorted(levels, reverse=True):
        if level >= Priority.HIGH:
            reward -= 0.1 * level * len(levels[level])
        elif level == Priority.LOW:
            reward += 0.05 * len(levels[level])
    worst = max(levels, default=Priority.LOW)
    reward += {"CRITICAL": -0.3, "HIGH": -0.1}.get(worst.name, 0.1)
    return reward / Priority(4)
