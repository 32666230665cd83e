import math

from ocatari.ram.bowling import *


def centroid(points):
    xs, ys = zip(*points)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def area(points):
    """Area of the polygon by the shoelace formula."""
    total = 0
    for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1]):
        total += x1 * y2 - x2 * y1
    return abs(total) / 2


def hull(points):
    """Andrew's monotone chain."""
    points = sorted(set(points))
    if len(points) <= 2:
        return points

    def half(iterable):
        chain = []
        for p in iterable:
            while len(chain) >= 2:
                (ax, ay), (bx, by) = chain[-2:]
                if (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > 0:
                    break
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return half(points) + half(reversed(points))


def reward_function(objects):
    ball = objects[1]
    pins = [o.center for o in objects[2:] if o]
    if not pins:
        return 3.0
    cx, cy = centroid(pins)
    reward = -math.dist((cx, cy), ball.center) / 200
    reward -= area(hull(pins)) / 1000
    if ball.dx > 0:
        arrival = (cx - ball.x) / ball.dx
        reward -= abs(ball.y + ball.dy * arrival - cy) / 300
    return reward
