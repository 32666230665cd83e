from dataclasses import dataclass
from ocatari.ram.pong import *


@dataclass(frozen=True)
class Event:
    kind: str
    amount: float = 0.0


def detect(player, enemy, ball):
    """Turn the raw objects into a list of events."""
    if not ball:
        return [Event("idle")]
    events = []
    if ball.dx > 0:
        events.append(Event("incoming", abs(player.y + player.h / 2 - ball.y)))
    elif ball.dx < 0:
        events.append(Event("outgoing", ball.x))
    if enemy and ball.x < enemy.x:
        events.append(Event("goal"))
    if ball.x > player.x + player.w:
        events.append(Event("conceded"))
    return events


def score_event(event):
    match event:
        case Event(kind="goal"):
            return 1.0
        case Event(kind="conceded"):
            return -1.0
        case Event("incoming", amount) if amount < 8:
            return 0.1
        case Event("incoming", amount):
            return -0.001 * amount
        case Event(kind="outgoing" | "idle" as name):
            return 0.01 if name == "outgoing" else 0.0
        case _:
            raise ValueError(f"unhandled event: {event!r}")


def reward_function(objects):
    player, ball, enemy = objects[0], objects[1], objects[2]
    return sum(score_event(e) for e in detect(player, enemy, ball))
