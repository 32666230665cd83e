from ocatari.ram.bowling import *


def quicksort(items, key):
    if len(items) <= 1:
        return items
    pivot, *rest = items
    smaller = [i for i in rest if key(i) < key(pivot)]
    larger = [i for i in rest if key(i) >= key(pivot)]
    return quicksort(smaller, key) + [pivot] + quicksort(larger, key)


def best_split(values):
    """Recursively finds the split with the most equal sums; returns the difference."""

    def go(i, left, right):
        if i == len(values):
            return abs(left - right)
        return min(go(i + 1, left + values[i], right), go(i + 1, left, right + values[i]))

    return go(0, 0, 0)


def reward_function(objects):
    pins = quicksort([o for o in objects if isinstance(o, Pin)], key=lambda p: (p.y, p.x))
    ball = objects[1]
    gaps = [b.y - a.y for a, b in zip(pins, pins[1:])]
    reward = -best_split([p.y - 110 for p in pins[:6]]) / 100
    reward += max(gaps, default=40) / 100
    if pins and ball.x > 100:
        reward += 0.2 if pins[0].y <= ball.y <= pins[-1].y else -0.2
    return reward
