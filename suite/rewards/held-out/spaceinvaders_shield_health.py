from ocatari.ram.spaceinvaders import *

INITIAL = 3 * 18


class Shields:
    def __init__(self):
        self.health = None

    def damage(self, shields):
        now = sum(s.h for s in shields)
        before, self.health = self.health, now
        return 0 if before is None else before - now


shields = Shields()


def reward_function(objects):
    current = [o for o in objects if isinstance(o, Shield)]
    lost = shields.damage(current)
    reward = -0.1 * lost
    if not current:
        reward -= 0.01
    player = next((o for o in objects if isinstance(o, Player)), None)
    if player is not None:
        behind = [s for s in current if s.x - 4 <= player.x <= s.x + s.w]
        threatened = any(b.dy > 0 and abs(b.x - player.x) < 8 for b in objects if isinstance(b, Bullet))
        if threatened:
            reward += 0.1 if behind else -0.1
    return reward + 0.05 * shields.health / INITIAL
