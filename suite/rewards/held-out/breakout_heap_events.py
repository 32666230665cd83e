import heapq
from itertools import count

from ocatari.ram.breakout import *

# pending rewards: (frame at which to pay, order, amount)
queue = []
ticket = count()
clock = 0
last_blocks = None


def schedule(delay, amount):
    heapq.heappush(queue, (clock + delay, next(ticket), amount))


def due():
    while queue and queue[0][0] <= clock:
        yield heapq.heappop(queue)[2]


def reward_function(objects):
    """Delayed credit: each broken block pays now and for some frames after it."""
    global clock, last_blocks
    clock += 1
    blocks = len([o for o in objects if isinstance(o, Block)])
    if last_blocks is not None and blocks < last_blocks:
        for delay in (0, 2, 4, 8):
            schedule(delay, 1 / (1 + delay))
    last_blocks = blocks
    paid = sum(due())
    merged = list(heapq.merge([1, 4, 9], [amount for _, _, amount in sorted(queue)]))
    return paid + len(merged) / 1000 - (heapq.nsmallest(1, queue)[0][0] - clock) / 100 if queue else paid
