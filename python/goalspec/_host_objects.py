"""The objects that reward functions see with the engine ``"python"``: those of screens, as OCAtari's, and those of other worlds."""

from __future__ import annotations

import enum
import types
from collections.abc import Mapping, Sequence
from typing import Any


class Orientation(enum.Enum):
    """The directions of the compass."""

    N = 0
    NNE = 1
    NE = 2
    ENE = 3
    E = 4
    ESE = 5
    SE = 6
    SSE = 7
    S = 8
    SSW = 9
    SW = 10
    WSW = 11
    W = 12
    WNW = 13
    NW = 14
    NNW = 15


class Box:
    """The methods of objects with ``x``, ``y``, ``w`` and ``h``."""

    def is_on_top(self, other: Any) -> bool:
        """Whether the upper left corner is in the box of another object."""
        own: Any = self
        return bool(other.x <= own.x <= other.x + other.w and other.y <= own.y <= other.y + other.h)

    def manathan_distance(self, other: Any) -> Any:
        """Return the Manhattan distance between the centers."""
        own: Any = self
        (x, y), (ox, oy) = own.center, other.center
        return abs(x - ox) + abs(y - oy)

    def closest_object(self, others: Sequence[Any]) -> tuple[int, Any] | None:
        """Return the index of the closest object and the object itself; ``None`` if there is none."""
        if len(others) == 0:
            return None
        return min(enumerate(others), key=lambda item: self.manathan_distance(item[1]))

    def iou(self, other: Any) -> Any:
        """Return the intersection over the union of two boxes."""
        own: Any = self
        if own.category == other.category == "NoObject":
            return 1
        width = min(own.x + own.w, other.x + other.w) - max(own.x, other.x)
        height = min(own.y + own.h, other.y + other.h) - max(own.y, other.y)
        common = max(0, width) * max(0, height)
        union = own.w * own.h + other.w * other.h - common
        return common / union if union else 0


class ScreenObject(Box):
    """An object of a screen, with the attributes and methods of OCAtari's."""

    def __bool__(self) -> bool:
        return bool(self.visible)

    def __repr__(self) -> str:
        return f"{self.category} at ({self.x}, {self.y}), {self.wh}"

    category: str
    x: int
    y: int
    w: int
    h: int
    prev_xy: tuple[int, int]
    rgb: tuple[int, int, int]
    hud: bool
    visible: bool

    @property
    def xy(self) -> tuple[int, int]:
        return self.x, self.y

    @xy.setter
    def xy(self, place: tuple[int, int]) -> None:
        self.x, self.y = place

    @property
    def wh(self) -> tuple[int, int]:
        return self.w, self.h

    @wh.setter
    def wh(self, size: tuple[int, int]) -> None:
        self.w, self.h = size

    @property
    def xywh(self) -> tuple[int, int, int, int]:
        return self.x, self.y, self.w, self.h

    @property
    def prev_x(self) -> int:
        return self.prev_xy[0]

    @property
    def prev_y(self) -> int:
        return self.prev_xy[1]

    @property
    def dx(self) -> int:
        return self.x - self.prev_xy[0]

    @property
    def dy(self) -> int:
        return self.y - self.prev_xy[1]

    @property
    def center(self) -> tuple[float, float]:
        return self.x + self.w / 2, self.y + self.h / 2

    @property
    def h_coords(self) -> list[tuple[int, int]]:
        return [self.xy, self.prev_xy]

    @property
    def value_diff(self) -> int:
        return int(self.value - self.prev_value)  # type: ignore[attr-defined]


def _equality(kind: tuple[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the methods of a class for its rule of equality."""
    rule, parameter = kind
    if rule == "identity":
        return {}

    def equal(self: Any, other: Any) -> bool:
        if rule == "always":
            return getattr(other, "category", None) == "NoObject"
        if rule == "same-position":
            return bool(type(other).__name__ == names[parameter] and self.xy == other.xy)
        rows, same_color = parameter
        near = type(self) is type(other) and abs(self.y - other.y) < rows
        return bool(near and (not same_color or self.rgb == other.rgb))

    return {"__eq__": equal, "__hash__": None}


def screen_classes(rows: Sequence[Mapping[str, Any]]) -> list[type]:
    """Return the classes of a screen."""
    names = [row["name"] for row in rows]
    classes: list[type] = []
    for row in rows:
        parent = ScreenObject if row["parent"] is None else classes[row["parent"]]
        methods = _equality(row["equality"], names)
        if row["name"] == "NoObject":
            methods |= {"__bool__": lambda self: False, "__repr__": lambda self: "\033[34mNaO\033[39m"}
        classes.append(type(row["name"], (parent,), methods))
    return classes


class _EntityClass(type):
    """The class of the classes of a world, which may inherit from one another in ways that Python does not allow.

    Their objects have all attributes of their own, so that only ``isinstance`` and ``issubclass`` depend on the ancestors.
    """

    ancestors: frozenset[type] = frozenset()

    def __instancecheck__(cls, instance: Any) -> bool:
        return cls in getattr(type(instance), "ancestors", ()) or type.__instancecheck__(cls, instance)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return cls in getattr(subclass, "ancestors", ()) or type.__subclasscheck__(cls, subclass)


class _Entity(metaclass=_EntityClass):
    """An object of a world, whose attributes are those that are known."""

    def __getattr__(self, name: str) -> Any:
        if name == "category":
            return type(self).__name__
        if name in vars(Box) and not name.startswith("_") and {"x", "y", "w", "h"} <= vars(self).keys():
            return types.MethodType(vars(Box)[name], self)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def entity_classes(rows: Sequence[tuple[str, Sequence[int]]]) -> list[type]:
    """Return the classes of a world: from their names and the indices of all classes that they inherit from, their own among them."""
    classes: list[_EntityClass] = [_EntityClass(name, (_Entity,), {}) for name, _ in rows]
    for made, (_, ancestors) in zip(classes, rows, strict=True):
        made.ancestors = frozenset(classes[place] for place in ancestors)
    return list(classes)


def _singular(name: str) -> str:
    """Return the name of the only object of a class: ``enemy_missile`` for ``EnemyMissile``."""
    written = ""
    for place, character in enumerate(name):
        before = name[place - 1] if place else "_"
        following = name[place + 1 : place + 2]
        if character.isupper() and before != "_" and (not before.isupper() or following.islower()):
            written += "_"
        written += character.lower()
    return written


def _plural(name: str) -> str:
    if name.endswith("y") and not name.endswith(("ay", "ey", "oy", "uy")):
        return name[:-1] + "ies"
    return name + ("es" if name.endswith(("s", "x", "z", "ch", "sh")) else "s")


ClassReference = tuple[type, bool]
"""A class of objects, and whether a name denotes all of them rather than the only one."""


def class_reference(classes: Sequence[type], name: str) -> ClassReference | None:
    """Return what a name such as ``car`` or ``cars`` denotes."""
    for kind in classes:
        singular = _singular(kind.__name__)
        if name in (_plural(singular), singular):
            return kind, name == _plural(singular)
    return None


def objects_of_class(objects: Sequence[Any], reference: ClassReference) -> Any:
    """Return the objects of a class: a list, or the only one, ``None`` if there is none. Raises ``ValueError`` if there are several."""
    kind, is_plural = reference
    found = [one for one in objects if isinstance(one, kind)]
    if is_plural:
        return found
    if len(found) > 1:
        name = type(found[0]).__name__
        raise ValueError(f"{len(found)} objects of class {name}: use the parameter for all of them")
    return found[0] if found else None


class _Moment:
    """The objects at one moment, and the attributes of the state; those of a class are found by its name."""

    def __init__(self, objects: list[Any], fields: Mapping[str, Any], classes: Sequence[type]) -> None:
        vars(self).update(fields, objects=objects)
        self.__classes = classes

    def __getattr__(self, name: str) -> Any:
        reference = None if name.startswith("_") else class_reference(self.__classes, name)
        if reference is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        # The attributes of a state are the same objects whenever they are read.
        found = objects_of_class(vars(self)["objects"], reference)
        setattr(self, name, found)
        return found


class State(_Moment):
    """The state before or after a step."""


class Environment(_Moment):
    """The environment."""
