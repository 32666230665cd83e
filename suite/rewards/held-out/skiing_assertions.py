from ocatari.ram.skiing import *


def validate(objects):
    assert len(objects) == 14, "unexpected number of slots"
    player = objects[0]
    assert isinstance(player, Player), f"first object is {player.category}"
    moguls = [o for o in objects if isinstance(o, Mogul)]
    assert moguls, "no moguls"
    assert all(m.y < 170 for m in moguls), f"new mogul at {max(m.y for m in moguls)}"
    return player, moguls


def reward_function(objects):
    try:
        player, moguls = validate(objects)
    except AssertionError as error:
        if "new mogul" in str(error):
            raise
        return -0.01 * len(error.args[0])
    nearest = min(moguls, key=lambda m: abs(m.y - player.y))
    return abs(nearest.x - player.x) / 160
