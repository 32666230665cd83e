"""A reward function with every construct of the subset."""
import math
from collections import namedtuple
from dataclasses import dataclass, field
from enum import Enum

from ocatari.ram.pong import *

Box = namedtuple("Box", "x y")
calls = 0
table = {"near": 1.5, "far": -0.5, "seen": [1, 2, 3]}


class Side(Enum):
    LEFT = 1
    RIGHT = 2


@dataclass
class Seen:
    name: str = "ball"
    count: int = 0
    boxes: list = field(default_factory=list)

    def add(self, box, weight=1.0):
        self.boxes.append(box)
        self.count += 1
        return self.count * weight


def middle(o):
    return o.x + o.w / 2, o.y + o.h / 2


def apart(a, b):
    (ax, ay), (bx, by) = middle(a), middle(b)
    return math.sqrt((ax - bx) ** 2 + (ay - by) ** 2)


def reward_function(game_objects):
    global calls
    calls += 1
    reward = 0.0
    seen = Seen()
    player = next((o for o in game_objects if isinstance(o, Player)), None)
    balls = [o for o in game_objects if isinstance(o, Ball) and o.visible]
    for i, ball in enumerate(balls):
        if player is not None and 10 <= ball.y < 150:
            distance = apart(ball, player)
            if distance < 5:
                reward += table["near"]
            elif distance < 20:
                reward += 0.5
            elif distance < 80:
                reward += 0.25
            else:
                reward -= 0.1
        seen.add(Box(ball.x, ball.y), weight=0.5 + i)
    while reward > 10 and not balls:
        reward /= 2
    try:
        last = seen.boxes[-1]
        reward += last.x // 3 - last.y % 7
    except (IndexError, TypeError) as error:
        reward += len(str(error)) * 0.0
    finally:
        calls += 0
    names = {o.category: (o.x, *o.wh) for o in game_objects if not o.hud}
    kinds = sorted(names, key=lambda name: (len(name), names[name][0]))
    text = f"{len(kinds):>3} {reward:.2f}" + "".join(name[0] for name in kinds)
    side = Side.LEFT if player and player.x > 80 else Side.RIGHT
    reward += sum(o.dx * 0.01 for o in game_objects) + max([o.y for o in game_objects], default=0) * 0.001
    reward += {"a": 1}.get(text, 0) - (side == Side.LEFT) + any(x > 3 for x in [1, 2, 3])
    return max(-1.0, min(1.0, reward))
