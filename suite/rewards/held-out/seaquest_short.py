from ocatari.ram.seaquest import *


def reward_function(objects):
    collected = sum(isinstance(o, CollectedDiver) for o in objects)
    danger = any(o.is_on_top(objects[0]) for o in objects if isinstance(o, (Shark, Submarine, EnemyMissile)))
    return collected * 0.1 - danger
