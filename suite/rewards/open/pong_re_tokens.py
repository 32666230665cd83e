import re

from ocatari.ram.pong import *

SPEC = "track=0.3; miss=-1.0; speed=0.02 ;  edge = -0.1"
TOKEN = re.compile(r"\s*(\w+)\s*=\s*([-+]?\d*\.?\d+)\s*")


def parse_weights(text):
    weights = {}
    for part in re.split(r";", text):
        m = TOKEN.fullmatch(part)
        if m:
            name, value = m.groups()
            weights[name] = float(value)
    return weights


WEIGHTS = parse_weights(SPEC)
CAMEL = re.compile("([A-Z])")


def snake(name):
    return CAMEL.sub(lambda m: "_" + m.group(1).lower(), name).lstrip("_")


def reward_function(objects):
    found = {snake(o.category): o for o in objects}
    ball, player = found.get("ball"), found["player"]
    numbers = [int(n) for n in re.findall(r"-?\d+", repr(player))]
    reward = WEIGHTS["edge"] * (numbers[1] < 40 or numbers[1] > 180)
    if ball is None:
        return reward + len(found) / 1000
    reward += WEIGHTS["track"] * (1 - abs(ball.y - player.y) / 160)
    reward += WEIGHTS["miss"] * (ball.x > player.x)
    reward += WEIGHTS["speed"] * abs(ball.dx)
    if re.match(r"(?i)BALL at \(\d{3},", str(ball)):
        reward += 0.01
    return reward + len(re.sub(r"[^a-z_]", "", "|".join(found))) * 1e-4
