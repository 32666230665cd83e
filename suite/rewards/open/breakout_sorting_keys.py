from ocatari.ram.breakout import *


def reward_function(objects):
    blocks = [o for o in objects if o.category == "Block"]
    ball = next(filter(lambda o: o.category == "Ball", objects), None)
    if not blocks:
        return 1.0
    by_height = sorted(blocks, key=lambda b: (-b.y, b.x))
    by_color = sorted(blocks, key=lambda b: b.rgb, reverse=True)
    blocks.sort(key=lambda b: (b.x % 16, b.y))
    reward = by_height[0].x / 1600 + by_color[-1].y / 2100
    for place, (a, b) in enumerate(zip(blocks, reversed(by_height))):
        if a is b:
            reward += 1 / (10 + place)
    if ball:
        near = sorted(((abs(b.x - ball.x) + abs(b.y - ball.y), i) for i, b in enumerate(by_height)))[:3]
        reward += sum(1 / (1 + d) for d, _ in near)
        reward -= by_height.index(by_height[near[0][1]]) / 1000
    return reward
