# clean
from ocatari.ram.pong import *

def score_of(objects, kind):
    found = [o for o in objects if isinstance(o, kind)]
    return found[0] if found else None

def reward_function(objects):
    mine, theirs = score_of(objects, PlayerScore), score_of(objects, EnemyScore)
    if mine is None or theirs is None:
        return 0.0
    ahead = mine.value >= 20 and theirs.value < 20
    return (mine.value - mine.prev_value) + (0.001 if ahead else 0.0)
