from ocatari.ram.skiing import *


class PID:
    def __init__(self, kp, ki, kd, limit=50.0):
        self.kp, self.ki, self.kd, self.limit = kp, ki, kd, limit
        self.integral = 0.0
        self.last = None

    def __call__(self, error):
        self.integral = max(-self.limit, min(self.limit, self.integral + error))
        derivative = 0.0 if self.last is None else error - self.last
        self.last = error
        return self.kp * error + self.ki * self.integral + self.kd * derivative


class Hysteresis:
    """On above `high`, off below `low`, unchanged between."""

    def __init__(self, low, high):
        self.low, self.high, self.on = low, high, False

    def update(self, value):
        if value > self.high:
            self.on = True
        elif value < self.low:
            self.on = False
        return self.on


pid = PID(0.05, 0.001, 0.1)
alarm = Hysteresis(5, 20)


def reward_function(objects):
    player = objects[0]
    ahead = [f for f in objects if f.category == "Flag" and f.y >= player.y]
    ahead.sort(key=lambda f: f.y)
    if len(ahead) < 2:
        return 0.0
    target = sum(f.x for f in ahead[:2]) / 2
    command = pid(target - player.x)
    agrees = command * (player.orientation - 8) > 0
    reward = 0.2 if agrees else -0.1
    if alarm.update(abs(target - player.x)):
        reward -= 0.3
    return reward - abs(command) / 100
