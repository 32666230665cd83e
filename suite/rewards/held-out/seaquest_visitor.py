from ocatari.ram.seaquest import *


class Visitor:
    """Dispatches on the name of the class, like ast.NodeVisitor."""

    def visit(self, obj):
        for cls in type(obj).__mro__:
            method = getattr(self, "visit_" + cls.__name__, None)
            if method is not None:
                return method(obj)
        return self.generic_visit(obj)

    def generic_visit(self, obj):
        return 0.0


class RewardVisitor(Visitor):
    def __init__(self, player):
        self.player = player
        self.seen = []

    def near(self, obj, radius):
        return abs(obj.x - self.player.x) < radius and abs(obj.y - self.player.y) < radius

    def visit_Submarine(self, obj):
        self.seen.append(obj.category)
        return -0.2 if self.near(obj, 25) else -0.02

    def visit_Shark(self, obj):
        self.seen.append(obj.category)
        return -0.3 if self.near(obj, 20) else 0.0

    def visit_Diver(self, obj):
        return 0.2 if self.near(obj, 30) else 0.01

    def visit_NoObject(self, obj):
        return 0.0

    def generic_visit(self, obj):
        return 1e-4


def reward_function(objects):
    player = objects[0]
    if not player:
        return -1.0
    visitor = RewardVisitor(player)
    total = sum(map(visitor.visit, objects))
    return total + 0.001 * len(set(visitor.seen))
