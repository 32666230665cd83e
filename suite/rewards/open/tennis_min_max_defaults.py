from ocatari.ram.tennis import *


def reward_function(objects):
    balls = [o for o in objects if o.category == "Ball"]
    players = {o.category: o for o in objects if o.category in ("Player", "Enemy")}
    player, enemy = players["Player"], players["Enemy"]
    target = max(balls, key=lambda b: b.y, default=None)
    x = getattr(target, "x", 80)
    y = getattr(target, "y", player.y)
    width = max(player.x, x) - min(player.x, x)
    reward = -width / 160
    reward += min(0.5, abs(enemy.x - x) / 100)
    reward += (1 if y < 105 else -1) * 0.1
    closest = player.closest_object([enemy, *balls])
    index, obj = closest
    return reward + (0.05 if index == 1 and obj is target else 0.0)
