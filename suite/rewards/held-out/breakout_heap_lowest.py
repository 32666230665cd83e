import heapq
from ocatari.ram.breakout import *


def lowest_blocks(blocks, count=5):
    """The blocks nearest to the paddle, using a heap of (negative y, x)."""
    heap = []
    for block in blocks:
        item = (block.y, -block.x)
        if len(heap) < count:
            heapq.heappush(heap, item)
        else:
            heapq.heappushpop(heap, item)
    return [(-x, y) for y, x in heapq.nlargest(count, heap)]


def reward_function(objects):
    player = ball = None
    blocks = []
    for obj in objects:
        if isinstance(obj, Player):
            player = obj
        elif isinstance(obj, Ball):
            ball = obj
        elif isinstance(obj, Block):
            blocks.append(obj)

    reward = (108 - len(blocks)) * 0.01
    if player is None or ball is None:
        return reward

    targets = lowest_blocks(blocks)
    if targets and ball.dy < 0:
        nearest = min(abs(x + 4 - ball.x) for x, _ in targets)
        reward += 0.1 / (1 + nearest)
    if ball.dy > 0:
        reward -= 0.002 * abs(player.x + player.w / 2 - ball.x)
    order = heapq.nsmallest(2, blocks, key=lambda b: (b.x, b.y))
    return reward + (order[-1].x / 16000 if order else 1.0)
