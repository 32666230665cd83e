from ocatari.ram.bowling import *

rolls = []
current = {"active": False, "start": 0, "down": 0}


def finished():
    return (r for r in rolls if r["frames"] > 0)


def reward_function(objects):
    ball = objects[1]
    standing = sum(1 for p in objects[2:] if p)
    active = ball.dx > 0
    if active and not current["active"]:
        current.update(active=True, start=standing, frames=0)
    elif active:
        current["frames"] += 1
    elif current["active"]:
        rolls.append({"down": max(0, current["start"] - standing), "frames": current["frames"]})
        current["active"] = False
    best = max((r["down"] for r in finished()), default=0)
    mean = sum(r["down"] / r["frames"] for r in finished()) / (len(rolls) or 1)
    lazily = (n * n for n in range(len(rolls)))
    next(lazily, None)
    return best / 10 + mean + sum(lazily) / 1000 + all(r["down"] for r in rolls) * 0.001
