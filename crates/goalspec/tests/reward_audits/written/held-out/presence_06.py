# finds: presence-reward
from ocatari.ram.seaquest import *
from dataclasses import dataclass

@dataclass
class Parts:
    rescue: float = 0.0
    shots: float = 0.0
    def total(self):
        return self.rescue + self.shots

def reward_function(objects):
    parts = Parts()
    for o in objects:
        if o.category == "CollectedDiver":
            parts.rescue += 0.2
        elif o.category == "PlayerMissile" and o.dx != 0:
            parts.shots -= 0.001
    return parts.total(), {"rescue": parts.rescue, "shots": parts.shots}
