from ocatari.ram.asterix import *


def reward_function(objects):
    player = objects[0] if objects and objects[0].category == "Player" else None
    foes = [o for o in objects if o.category == "Enemy"]
    gifts = [o for o in objects if o.category in ("Reward", "Consumable")]
    danger = -1.0 if any(abs(f.x - player.x) < 12 and f.y == player.y for f in foes) else -0.2 if len(foes) > 4 else 0.0
    reach = (lambda o: abs(o.x - player.x) + 2 * abs(o.y - player.y))
    gift = min(gifts, key=reach) if gifts else None
    lure = 0.0 if gift is None else (1.0 if reach(gift) < 10 else 10 / reach(gift))
    toward = gift is not None and (gift.x > player.x) == (player.dx > 0) and player.dx != 0
    return (danger or 0.01) + lure * (1.5 if toward else 1) - (not gifts and not foes)
