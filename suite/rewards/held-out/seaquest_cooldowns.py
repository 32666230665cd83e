from ocatari.ram.seaquest import *


class Cooldown:
    """Lets an event pay at most once in `frames` frames."""

    def __init__(self, frames):
        self.frames = frames
        self.left = 0

    def tick(self):
        if self.left:
            self.left -= 1

    def fire(self):
        if self.left:
            return False
        self.left = self.frames
        return True

    def __bool__(self):
        return self.left == 0


cooldowns = {"shot": Cooldown(12), "dive": Cooldown(25), "surface": Cooldown(40)}
was = {"y": None, "missile": False}


def reward_function(objects):
    for cooldown in cooldowns.values():
        cooldown.tick()
    player = objects[0]
    missile = bool(objects[34])
    reward = 0.0
    if not player:
        was.update(y=None, missile=missile)
        return -0.2
    if missile and not was["missile"] and cooldowns["shot"].fire():
        aligned = any(abs(o.y - player.y) < 10 for o in objects[1:25] if o)
        reward += 0.3 if aligned else -0.05
    if was["y"] is not None:
        if player.y > was["y"] and cooldowns["dive"].fire():
            reward += 0.1
        elif player.y < was["y"] and player.y <= 46 and cooldowns["surface"].fire():
            reward += 0.4
    was["y"], was["missile"] = player.y, missile
    ready = sum(map(bool, cooldowns.values()))
    return reward + 0.001 * ready
