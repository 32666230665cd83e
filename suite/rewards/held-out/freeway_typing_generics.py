from collections.abc import Iterator, Mapping
from typing import Any, Generic, Optional, TypeVar, Union, cast, overload

from ocatari.ram.freeway import *

T = TypeVar("T")
K = TypeVar("K", bound=str)
Number = Union[int, float]


class Ring(Generic[T]):
    """A ring buffer of fixed size."""

    def __init__(self, size: int) -> None:
        self._items: list[Optional[T]] = [None] * size
        self._next = 0

    def push(self, item: T) -> None:
        self._items[self._next] = item
        self._next = (self._next + 1) % len(self._items)

    def __iter__(self) -> Iterator[T]:
        for item in self._items[self._next :] + self._items[: self._next]:
            if item is not None:
                yield cast(T, item)

    def __len__(self) -> int:
        return sum(item is not None for item in self._items)


@overload
def scale(value: int) -> int: ...
@overload
def scale(value: float) -> float: ...
def scale(value: Number) -> Number:
    return value * 2 if isinstance(value, int) else value / 2


ring: Ring[int] = Ring(12)
WEIGHTS: Mapping[str, Any] = {"up": 0.05, "hit": -0.5}


def reward_function(objects: list[Any]) -> float:
    chicken = objects[0]
    ring.push(chicken.y)
    values = list(ring)
    progress = values[0] - values[-1]
    reward = WEIGHTS["up"] * scale(progress)
    if isinstance(ring, Ring) and len(ring) == 12 and all(a <= b for a, b in zip(values, values[1:])):
        reward += WEIGHTS["hit"]
    return reward + scale(0.5)
