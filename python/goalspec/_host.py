"""Reward functions in the interpreter that runs the package: the engine ``"python"``, without a sandbox and without limits.

Programs see the modules of OCAtari, whose classes are made here from those of the engines, and everything that the interpreter can import.
"""

from __future__ import annotations

import builtins
import enum
import inspect
import itertools
import math
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from goalspec import _core
from goalspec._errors import RefusedError, RewardError

# The kind of the failure of a call that returns no reward, as the engines name it.
_NO_REWARD = "no reward"

_MAX_REPR = 60

_COUNTER = itertools.count()

Selection = tuple[npt.NDArray[np.bool_] | None, Sequence[Any] | None]
"""The environments that are stepped, and their actions."""

_STATE_NAMES = ("state", "next_state", "current_state")
_PREVIOUS_NAMES = ("prev_state", "previous_state", "last_state")
_OTHER_NAMES = ("objects", "game_objects", "env", "action")


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


class _GameObject:
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

    def is_on_top(self, other: Any) -> bool:
        return bool(other.x <= self.x <= other.x + other.w and other.y <= self.y <= other.y + other.h)

    def manathan_distance(self, other: Any) -> float:
        (x, y), (ox, oy) = self.center, other.center
        return float(abs(x - ox) + abs(y - oy))

    def closest_object(self, others: Sequence[Any]) -> tuple[int, Any] | None:
        if len(others) == 0:
            return None
        return min(enumerate(others), key=lambda item: self.manathan_distance(item[1]))

    def iou(self, other: Any) -> float:
        if self.category == other.category == "NoObject":
            return 1
        width = min(self.x + self.w, other.x + other.w) - max(self.x, other.x)
        height = min(self.y + self.h, other.y + other.h) - max(self.y, other.y)
        common = max(0, width) * max(0, height)
        union = self.w * self.h + other.w * other.h - common
        return common / union if union else 0


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


def _classes(rows: Sequence[Mapping[str, Any]]) -> dict[str, type]:
    """Return the classes of a screen by name."""
    names = [row["name"] for row in rows]
    classes: dict[str, type] = {}
    for row in rows:
        parent = _GameObject if row["parent"] is None else classes[names[row["parent"]]]
        methods = _equality(row["equality"], names)
        if row["name"] == "NoObject":
            methods |= {"__bool__": lambda self: False, "__repr__": lambda self: "\033[34mNaO\033[39m"}
        classes[row["name"]] = type(row["name"], (parent,), methods)
    return classes


def _singular(name: str) -> str:
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


def _state(objects: list[Any], classes: Mapping[str, type]) -> types.SimpleNamespace:
    """Return the objects of each class by its name: the only one as ``ball``, all as ``balls``."""
    state = types.SimpleNamespace(objects=objects)
    for name, kind in classes.items():
        found = [one for one in objects if isinstance(one, kind)]
        setattr(state, _plural(_singular(name)), found)
        if len(found) < 2:
            setattr(state, _singular(name), found[0] if found else None)
    return state


class _Environment:
    """A program in one environment, with its own global variables."""

    def __init__(self, code: types.CodeType, name: str, modules: Mapping[str, types.ModuleType], classes: Mapping[str, type]) -> None:
        self._code, self._name, self._modules, self._classes = code, name, modules, classes
        # Classes look their module up by its name, data classes for example.
        self._module_name = f"goalspec_reward_{next(_COUNTER)}"
        weakref.finalize(self, sys.modules.pop, self._module_name, None)
        self.reset()

    def reset(self) -> None:
        """Run the top level of the program anew."""
        self._previous: types.SimpleNamespace | None = None
        module = sys.modules[self._module_name] = types.ModuleType(self._module_name)
        module.__dict__["__builtins__"] = vars(builtins) | {"__import__": self._import}
        try:
            exec(self._code, module.__dict__)
        except Exception as error:
            raise RefusedError(f"cannot run `{self._name}`: its top level ends with {type(error).__name__}: {error}") from None
        self._function, self._parameters = self._entry(module)

    def _import(self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if level == 0 and name.split(".")[0] == "ocatari":
            if name not in self._modules:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
            return self._modules[name if fromlist else "ocatari"]
        return builtins.__import__(name, globals, locals, fromlist, level)

    def _entry(self, module: types.ModuleType) -> tuple[Callable[..., Any], list[str]]:
        functions = {name: value for name, value in vars(module).items() if isinstance(value, types.FunctionType)}
        own = [value for value in functions.values() if value.__module__ == module.__name__]
        named = [functions[name] for name in ("reward_function", "compute_reward") if name in functions]
        if not named and not own:
            raise RefusedError(f"cannot run `{self._name}`: it has no function that computes the reward")
        function = named[0] if named else own[-1]
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        parameters = inspect.signature(function).parameters.items()
        names = [name for name, given in parameters if given.kind in kinds and given.default is given.empty]
        known = {*_STATE_NAMES, *_PREVIOUS_NAMES, *_OTHER_NAMES}
        if len(names) == 1 and names[0] not in known:
            names = ["objects"]
        return function, names

    def call(self, objects: list[Any], action: Any) -> tuple[float, dict[str, float]]:
        """Return the reward and its components. Raises ``RewardError`` if the function raises, or returns no reward."""
        if self._parameters == ["objects"]:
            arguments: list[Any] = [objects]
        else:
            state = _state(objects, self._classes)
            known = vars(state) | {"game_objects": objects, "env": types.SimpleNamespace(objects=objects), "action": action}
            known |= dict.fromkeys(_STATE_NAMES, state) | dict.fromkeys(_PREVIOUS_NAMES, self._previous)
            unknown = [name for name in self._parameters if name not in known]
            if unknown:
                raise RefusedError(f"cannot run `{self._name}`: there is no argument for the parameter `{unknown[0]}`")
            arguments = [known[name] for name in self._parameters]
            self._previous = state
        try:
            result = self._function(*arguments)
        except Exception as error:
            raise RewardError(type(error).__name__, str(error), self._line(error)) from None
        return _reward(result)

    def _line(self, error: BaseException) -> int | None:
        """Return the line of the program in which an exception was raised last."""
        line, traceback = None, error.__traceback__
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == self._code.co_filename:
                line = traceback.tb_lineno
            traceback = traceback.tb_next
        return line


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float | np.number | np.bool_) else None


def _described(value: Any) -> str:
    if value is None:
        return "None"
    text = repr(value)
    return f"{text[:_MAX_REPR]}{'...' if len(text) > _MAX_REPR else ''}, of class {type(value).__name__}"


def _reward(result: Any) -> tuple[float, dict[str, float]]:
    total = _number(result)
    if total is not None:
        return total, {}
    if isinstance(result, tuple) and len(result) == 2 and isinstance(result[1], dict):
        total = _number(result[0])
        numbers = {name: _number(value) for name, value in result[1].items()}
        wrong = next((name for name, value in numbers.items() if value is None or not isinstance(name, str)), None)
        if wrong is not None:
            part = f"a component {_described(wrong)} that is {_described(result[1][wrong])}"
            raise RewardError(_NO_REWARD, f"the result is {part}")
        if total is not None:
            return total, {name: value for name, value in numbers.items() if value is not None}
    raise RewardError(_NO_REWARD, f"the result is {_described(result)}")


class HostRewards:
    """A reward function in one or more environments, with the methods of the engine's."""

    def __init__(self, text: str, name: str, world: str | None, count: int, slots: Sequence[str]) -> None:
        if world is None or not world.startswith("atari/"):
            raise RefusedError(f"the engine `python` runs reward functions of Atari screens; the world of `{name}` is `{world}`")
        self._world = world
        self._screens = [_core.AtariScreen(world.removeprefix("atari/"), False) for _ in range(count)]
        rows = _core.screen_classes(world)
        self._extras = {row["name"]: row["extras"] for row in rows}
        self._classes = _classes(rows)
        for slot in slots:
            if slot not in self._classes:
                raise KeyError(f"unknown class `{slot}` of `{world}`")
        self._slots = list(slots)
        self._corners: list[list[tuple[int, int] | None]] = [[None] * len(slots) for _ in range(count)]
        try:
            code = compile(text, f"<{name}>", "exec")
        except (SyntaxError, ValueError) as error:
            raise RefusedError(f"cannot run `{name}`: {error}") from None
        modules = self._modules(world.removeprefix("atari/"))
        self._environments = [_Environment(code, name, modules, self._classes) for _ in range(count)]

    def _modules(self, game: str) -> dict[str, types.ModuleType]:
        names = ["ocatari", "ocatari.ram", f"ocatari.ram.{game}", "ocatari.ram.game_objects"]
        modules = {name: types.ModuleType(name) for name in names}
        for name in names[2:]:
            vars(modules[name]).update(self._classes, Orientation=Orientation)
        for name in names[1:]:
            parent, _, own = name.rpartition(".")
            setattr(modules[parent], own, modules[name])
        return modules

    def _object(self, row: Mapping[str, Any]) -> Any:
        made = self._classes[row["category"]]()
        for name, value in row.items():
            setattr(made, name, value)
        if isinstance(made.orientation, str):
            made.orientation = Orientation[made.orientation]
        for name, value in zip(self._extras[row["category"]], row["extras"], strict=True):
            setattr(made, name, value)
        del made.extras
        return made

    def call(self, objects: Any, action_value: Any) -> tuple[float, dict[str, float]]:
        """Call the function in the first environment with objects, as the engine does."""
        rows = [_core.screen_object(self._world, one) for one in objects]
        return self._environments[0].call([self._object(row) for row in rows], action_value)

    def screen(self) -> str | None:
        """Return the name of the game."""
        return self._screens[0].game()

    def _selected(self, selection: Selection) -> list[bool]:
        where, actions = selection
        count = len(self._environments)
        for name, values in (("where", where), ("actions", actions)):
            if values is not None and len(values) != count:
                raise ValueError(f"expected {count} values for {name}, found {len(values)}")
        return [True] * count if where is None else np.asarray(where, np.bool_).tolist()

    def _step(
        self, frames: Iterable[Sequence[Mapping[str, Any]]], selected: Sequence[bool], actions: Sequence[Any] | None
    ) -> tuple[npt.NDArray[np.float64], dict[int, RewardError]]:
        rewards, errors = np.zeros(len(self._environments)), {}
        for place, rows in enumerate(frames):
            if not selected[place]:
                continue
            try:
                things = [self._object(row) for row in rows]
                rewards[place] = self._environments[place].call(things, None if actions is None else actions[place])[0]
            except RewardError as error:
                rewards[place], errors[place] = math.nan, error
        return rewards, errors

    def step_boxes(
        self, boxes: npt.NDArray[np.int32], present: npt.NDArray[np.bool_] | None, selection: Selection
    ) -> tuple[npt.NDArray[np.float64], dict[int, RewardError]]:
        """Call the function in every environment with boxes."""
        shape = (len(self._environments), len(self._slots), 4)
        if not self._slots or boxes.shape != shape:
            raise ValueError(f"expected boxes of the shape {shape}, one for each slot, found {boxes.shape}")
        if present is not None and present.shape != shape[:2]:
            raise ValueError(f"expected {shape[0]} rows of {shape[1]} truth values for present")
        selected = self._selected(selection)
        frames = (self._box_rows(place, boxes[place], present) if selected[place] else [] for place in range(shape[0]))
        return self._step(frames, selected, selection[1])

    def _box_rows(self, place: int, boxes: npt.NDArray[np.int32], present: Any) -> list[dict[str, Any]]:
        rows = []
        for slot, name in enumerate(self._slots):
            if present is not None and not present[place, slot]:
                self._corners[place][slot] = None
                continue
            x, y, w, h = boxes[slot].tolist()
            thing = {"category": name, "x": x, "y": y, "w": w, "h": h, "prev_xy": self._corners[place][slot]}
            self._corners[place][slot] = (x, y)
            rows.append(_core.screen_object(self._world, thing))
        return rows

    def step_ram(
        self, ram: npt.NDArray[np.uint8], selection: Selection
    ) -> tuple[npt.NDArray[np.float64], dict[int, RewardError]]:
        """Call the function in every environment with the decoded memory."""
        shape = (len(self._environments), 128)
        if ram.shape != shape:
            raise ValueError(f"expected memory of the shape {shape}, found {ram.shape}")
        selected = self._selected(selection)
        frames = (self._decoded(place, ram[place]) if selected[place] else [] for place in range(shape[0]))
        return self._step(frames, selected, selection[1])

    def _decoded(self, place: int, ram: npt.NDArray[np.uint8]) -> list[dict[str, Any]]:
        self._screens[place].step(ram)
        return self._screens[place].objects()

    def step_columns(
        self, rows: npt.NDArray[np.float64], selection: Selection
    ) -> tuple[npt.NDArray[np.float64], dict[int, RewardError]]:
        """Raise ``ValueError``: the world is a screen."""
        raise ValueError("the world of the reward function is the screen of a game")

    def reset(self, selected: npt.NDArray[np.bool_] | None) -> None:
        """Restart the selected environments."""
        count = len(self._environments)
        if selected is not None and len(selected) != count:
            raise ValueError(f"expected {count} truth values for where, found {len(selected)}")
        for place, environment in enumerate(self._environments):
            if selected is None or selected[place]:
                self._corners[place] = [None] * len(self._slots)
                self._screens[place].reset()
                environment.reset()
