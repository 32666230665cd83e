from ocatari.ram.breakout import *


def message(objects):
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    player = next((o for o in objects if isinstance(o, Player)), None)
    if ball is None:
        return {"type": "serve", "player": player.xy}
    data = {"type": "ball", "pos": ball.xy, "vel": (ball.dx, ball.dy), "blocks": len(objects)}
    if ball.y > 180:
        data["urgent"] = True
    return data


def reward_function(objects):
    match message(objects):
        case {"type": "serve", "player": (x, _)}:
            return -abs(x - 80) / 1000
        case {"type": "ball", "urgent": True, "pos": [bx, _], **rest} if rest["vel"][1] > 0:
            player = objects[0]
            return 0.5 if player.x <= bx <= player.x + player.w else -0.5
        case {"type": "ball", "vel": (0, 0)}:
            return 0.0
        case {"type": "ball", "vel": (dx, dy), "pos": (int(bx), int(by))} if dy < 0:
            return 0.1 + (210 - by) / 1000 + dx / 1000 + bx / 1e5
        case {"type": str(kind)}:
            return len(kind) / 100
        case _:
            return -1
