# causes: unknown-class
from ocatari.ram.freeway import *

def reward_function(objects):
    parts = {"progress": 0.0, "hit": 0.0}
    for o in objects:
        if o.category == "Chiken" and o.x < 60:
            parts["progress"] = -o.dy / 10
            for c in objects:
                if c.category == "Car" and c.is_on_top(o):
                    parts["hit"] -= 1.0
    return sum(parts.values()), parts
