from ocatari.ram.seaquest import *

has = lambda kind: lambda objs: any(isinstance(o, kind) for o in objs)
count = lambda kind: lambda objs: sum(isinstance(o, kind) for o in objs)
both = lambda f, g: lambda objs: f(objs) and g(objs)
negate = lambda f: lambda objs: not f(objs)

RULES = [
    (both(has(Player), has(Diver)), lambda objs: 0.1),
    (has(EnemyMissile), lambda objs: -0.05 * count(EnemyMissile)(objs)),
    (negate(has(Player)), lambda objs: -1.0),
    (both(has(PlayerMissile), lambda objs: count(Shark)(objs) > 0), lambda objs: 0.02),
    (lambda objs: count(CollectedDiver)(objs) >= 2, lambda objs: 0.2 * count(CollectedDiver)(objs)),
]


def reward_function(objects):
    return sum(effect(objects) for condition, effect in RULES if condition(objects))
