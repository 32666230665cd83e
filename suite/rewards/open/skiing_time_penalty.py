from ocatari.ram.skiing import *


class Timer:
    def __init__(self, rate=0.001):
        self.rate = rate
        self.ticks = 0

    def __iadd__(self, n):
        self.ticks += n
        return self

    def __float__(self):
        return self.ticks * self.rate

    def __int__(self):
        return self.ticks

    def __gt__(self, limit):
        return self.ticks > limit


timer = Timer()


def reward_function(objects):
    global timer
    timer += 1
    player = objects[0]
    speed = max((abs(o.dy) for o in objects[1:] if o), default=0)
    reward = 0.1 * speed - float(timer)
    if timer > 50:
        reward -= 0.05
    if int(timer) % 25 == 0:
        reward += 0.5
    center_bias = abs(player.center[0] - 80) / 80
    return reward - 0.1 * center_bias ** 2
