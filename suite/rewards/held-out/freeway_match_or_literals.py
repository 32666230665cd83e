from ocatari.ram.freeway import *


def lane_kind(index: int) -> str:
    match index:
        case 0 | 1 | 2:
            return "slow"
        case 3 | 4:
            return "fast"
        case n if n < 0:
            return "start"
        case n if 5 <= n < 10:
            return "returning"
        case _:
            return "outside"


def weight(kind, moving):
    match kind, moving:
        case "slow", True:
            return 0.05
        case ("fast" | "returning") as k, True:
            return 0.1 if k == "fast" else 0.15
        case _, False:
            return -0.02
        case str() as other, _ if other.startswith(("st", "out")):
            return 0.2 - len(other) / 100
    return 0.0


def reward_function(objects):
    chicken = objects[0]
    kind = lane_kind((chicken.y - 27) // 16)
    reward = weight(kind, chicken.dy < 0)
    match [o.x for o in objects[2:12] if abs(o.y - chicken.y) < 10]:
        case [x] if abs(x - 44) < 16:
            reward -= 0.3
        case [x, y, *_]:
            reward -= 0.05 * min(abs(x - 44), abs(y - 44)) / 44
        case []:
            reward += 0.01
    match {"score": objects[12].value, "hud": True}:
        case {"score": 0}:
            pass
        case {"score": int(n), "hud": True | None}:
            reward += 0.1 * n
    match objects[0].dx, -1.5, None:
        case 0, -1.5, None:
            reward += 1e-3
        case _:
            reward = float("nan")
    return reward
