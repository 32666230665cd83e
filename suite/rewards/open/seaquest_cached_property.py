from functools import cached_property, lru_cache

from ocatari.ram.seaquest import *


@lru_cache(maxsize=None)
def oxygen_penalty(level: int) -> float:
    """Quadratic penalty for low oxygen. Cached since the level is a small int."""
    if level >= 32:
        return 0.0
    return -(((32 - level) / 32) ** 2)


class Scene:
    def __init__(self, objects):
        self._objects = objects

    @cached_property
    def player(self):
        return next((o for o in self._objects if isinstance(o, Player)), None)

    @cached_property
    def oxygen(self):
        bar = next((o for o in self._objects if isinstance(o, OxygenBar)), None)
        return bar.value if bar is not None else 64

    @cached_property
    def enemies(self):
        return [o for o in self._objects if isinstance(o, (Shark, Submarine))]

    @cached_property
    def nearest_enemy(self):
        if not self.enemies or self.player is None:
            return float("inf")
        return min(self.player.manathan_distance(e) for e in self.enemies)


def reward_function(objects):
    scene = Scene(objects)
    reward = oxygen_penalty(scene.oxygen)
    if scene.player is None:
        return reward - 0.5
    if scene.nearest_enemy < 20:
        reward -= 0.2 * (1 - scene.nearest_enemy / 20)
    # evaluated twice, computed once
    reward += 0.01 * len(scene.enemies) * (scene.nearest_enemy > 30)
    return reward
