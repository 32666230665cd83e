from ocatari.ram.pong import *


class PongReward:
    """The reward as a class with `reset` and `step`, as environments wrap it."""

    def __init__(self, gamma=0.95, horizon=10):
        self.gamma, self.horizon = gamma, horizon
        self.reset()

    def reset(self):
        self.returns = []
        self.t = 0
        return self

    def step(self, objects):
        self.t += 1
        r = self._raw(objects)
        self.returns = [g * self.gamma + r for g in self.returns][-self.horizon + 1 :] + [r]
        return max(self.returns)

    def _raw(self, objects):
        ball = objects[1]
        if not ball:
            return 0.0
        return {True: 0.1, False: -0.1}[abs(ball.y - objects[0].center[1]) < 12]

    def __enter__(self):
        return self.reset()

    def __exit__(self, *_):
        return None


instance = PongReward(horizon=6)


def reward_function(objects):
    if instance.t >= 64:
        with instance as fresh:
            fresh.t = 1
    return instance.step(objects) + instance.t * 1e-4
