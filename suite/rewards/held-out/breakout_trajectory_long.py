"""Reward that predicts where the ball comes down, with walls and blocks."""
from ocatari.ram.breakout import *

LEFT_WALL, RIGHT_WALL, TOP_WALL, PADDLE_Y = 8, 152, 32, 189
MAX_STEPS = 80


class Ray:
    """The ball as a moving point."""

    __slots__ = ("x", "y", "dx", "dy", "bounces")

    def __init__(self, x, y, dx, dy):
        self.x, self.y, self.dx, self.dy = x, y, dx, dy
        self.bounces = 0

    def advance(self):
        self.x += self.dx
        self.y += self.dy
        if self.x <= LEFT_WALL:
            self.x = 2 * LEFT_WALL - self.x
            self.dx = -self.dx
            self.bounces += 1
        elif self.x >= RIGHT_WALL:
            self.x = 2 * RIGHT_WALL - self.x
            self.dx = -self.dx
            self.bounces += 1
        if self.y <= TOP_WALL:
            self.y = 2 * TOP_WALL - self.y
            self.dy = -self.dy
            self.bounces += 1

    def hits(self, block):
        return block.x <= self.x <= block.x + block.w and block.y <= self.y <= block.y + block.h

    def reflect(self):
        self.dy = -self.dy
        self.bounces += 1

    @property
    def falling(self):
        return self.dy > 0


def simulate(ray, blocks):
    """Returns the position where the ball reaches the paddle and the number of blocks on the way."""
    remaining = dict(enumerate(blocks))
    hits = 0
    for _ in range(MAX_STEPS):
        ray.advance()
        if ray.y >= PADDLE_Y:
            return ray.x, hits
        for key, block in remaining.items():
            if ray.hits(block):
                del remaining[key]
                ray.reflect()
                hits += 1
                break
    return None, hits


def reward_function(objects):
    paddle, ball = objects[0], objects[1]
    blocks = [o for o in objects[2:] if o]
    reward = 0.002 * (108 - len(blocks))
    if not ball or (ball.dx == 0 and ball.dy == 0):
        return reward
    ray = Ray(ball.x, ball.y, ball.dx, ball.dy)
    landing, hits = simulate(ray, [b for b in blocks if b.y > 60])
    reward += 0.1 * hits
    if landing is None:
        return reward - 0.05
    error = abs(landing - paddle.center[0])
    if error <= paddle.w / 2:
        reward += 0.3
    else:
        reward -= min(0.3, (error - paddle.w / 2) / 100)
    if ray.bounces > 2:
        reward += 0.01 * ray.bounces
    return reward
