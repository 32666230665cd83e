from collections import namedtuple

from ocatari.ram.pong import *

Vector = namedtuple("Vector", "x y")
Body = namedtuple("Body", ["position", "velocity", "size"])


def body(obj):
    return Body(Vector(*obj.xy), Vector(obj.dx, obj.dy), Vector(*obj.wh))


def step(b):
    return b._replace(position=Vector(b.position.x + b.velocity.x, b.position.y + b.velocity.y))


def overlaps(a, b):
    return (
        a.position.x < b.position.x + b.size.x
        and b.position.x < a.position.x + a.size.x
        and a.position.y < b.position.y + b.size.y
        and b.position.y < a.position.y + a.size.y
    )


def reward_function(objects):
    bodies = {o.category: body(o) for o in objects if o}
    ball = bodies.get("Ball")
    player = bodies["Player"]
    if ball is None:
        return 0.0
    for look_ahead in range(12):
        if overlaps(ball, player):
            return 1.0 / (1 + look_ahead)
        ball = step(ball)
        if ball.position.x > player.position.x + 10:
            return -0.2
    (x, y), velocity, _ = ball
    return x / 1600 + velocity[0] / 100 + len(Body._fields) / 1000
