from functools import singledispatch

from ocatari.ram.seaquest import *


@singledispatch
def value(obj):
    return 0.0


@value.register
def _(obj: Shark):
    return -0.05


@value.register(Submarine)
def submarine_value(obj):
    return -0.08


@value.register
def _(obj: SurfaceSubmarine):
    return -0.2


@value.register(Diver)
@value.register(CollectedDiver)
def diver_value(obj):
    return 0.1 if obj.hud else 0.02


@value.register
def _(obj: OxygenBar):
    return -0.5 if obj.value < 10 else 0.0


def reward_function(objects):
    total = sum(value(o) for o in objects)
    assert value.dispatch(SurfaceSubmarine) is not submarine_value
    return total
