from ocatari.ram.pong import *


def combine(first, /, *rest, scale=1.0, offset=0.0, **named):
    total = first + sum(rest)
    for key, (value, weight) in sorted(named.items()):
        total += value * weight
    return total * scale + offset


def pick(objects, *names, default=None):
    table = {o.category: o for o in objects}
    return [table.get(name, default) for name in names]


def reward_function(objects):
    player, ball, *others = pick(objects, "Player", "Ball", "Enemy", default=None)
    (enemy,) = others
    if None in (player, ball):
        return combine(-0.05)
    options = dict(scale=0.5)
    named = {"track": (1 - abs(player.y - ball.y) / 160, 0.4), "speed": (abs(ball.dx), 0.01)}
    if enemy is not None:
        named |= {"away": (abs(enemy.y - ball.y) / 160, 0.2)}
    head, *_, last = [ball.x, ball.y, ball.w, ball.h]
    return combine(0.1, head / 1600, last / 100, **options, **named)
