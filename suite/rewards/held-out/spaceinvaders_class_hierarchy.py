from abc import ABC, abstractmethod
from typing import ClassVar, Dict, List, Type

from ocatari.ram.spaceinvaders import *


class Term(ABC):
    """Base class of the terms of the reward."""

    registry: ClassVar[Dict[str, Type["Term"]]] = {}
    weight: float = 1.0

    def __init_subclass__(cls, /, weight: float = 1.0, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.weight = weight
        Term.registry[cls.__name__] = cls

    @property
    @abstractmethod
    def name(self) -> str:
        raise NotImplementedError

    @abstractmethod
    def raw(self, objects) -> float: ...

    def __call__(self, objects) -> float:
        return self.weight * self.raw(objects)


class Kills(Term, weight=0.5):
    name = "kills"

    def raw(self, objects):
        return (36 - sum(isinstance(o, Alien) for o in objects)) / 36


class Cover(Term, weight=0.1):
    @property
    def name(self):
        return "cover"

    def raw(self, objects):
        player = next((o for o in objects if isinstance(o, Player)), None)
        shields = [o for o in objects if isinstance(o, Shield)]
        if player is None:
            return -1.0
        return float(any(s.x <= player.x <= s.x + s.w for s in shields))


class Saucer(Term, weight=0.2):
    name = "saucer"

    def raw(self, objects):
        return 1.0 if any(isinstance(o, Satellite) for o in objects) else 0.0


TERMS: List[Term] = [kind() for kind in Term.registry.values()]


def compute_reward(objects):
    parts = {term.name: term(objects) for term in TERMS}
    return sum(parts.values()), parts
