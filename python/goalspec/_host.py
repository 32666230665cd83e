"""Reward functions in the interpreter that runs the package: the engine ``"python"``, without a sandbox and without limits.

Programs see the modules of OCAtari or of ``goalspec.world``, whose classes are made here from those of the engines, and everything that the
interpreter can import.
"""

from __future__ import annotations

import builtins
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
from goalspec._host_objects import (
    ClassReference,
    Environment,
    Orientation,
    State,
    class_reference,
    entity_classes,
    objects_of_class,
    screen_classes,
)

# The kind of the failure of a call that returns no reward, as the engines name it.
_NO_REWARD = "no reward"

_MAX_REPR = 60

_COUNTER = itertools.count()

Selection = tuple[npt.NDArray[np.bool_] | None, Sequence[Any] | None]
"""The environments that are stepped, and their actions."""

Frame = Callable[[], tuple[list[Any], Mapping[str, Any]]]
"""Creates the objects of a frame, and the attributes of the state. Each call creates them anew, since programs may change them."""

# The names by which a reward function is found, in the order of preference.
_CONVENTIONAL_NAMES = ("reward_function", "compute_reward")

# The sources of the arguments of parameters other than classes.
_SOURCES = {
    **dict.fromkeys(("objects", "game_objects"), "objects"),
    "env": "env",
    **dict.fromkeys(("state", "next_state", "current_state"), "state"),
    **dict.fromkeys(("prev_state", "previous_state", "last_state"), "previous"),
    "action": "action",
}

_Source = str | ClassReference


class _Entry:
    """The function that computes the reward, and the sources of its arguments."""

    def __init__(self, function: Callable[..., Any], classes: Sequence[type]) -> None:
        self.function = function
        self.arguments: list[_Source] = []
        self.keywords: dict[str, _Source] = {}
        parameters = inspect.signature(function).parameters.values()
        positional = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
        required = [one for one in positional if one.default is one.empty]
        is_conventional = len(positional) == len(required) == 1 and function.__name__ in _CONVENTIONAL_NAMES
        for parameter in positional:
            source = _SOURCES.get(parameter.name) or class_reference(classes, parameter.name)
            if source is None and is_conventional:
                source = "objects"
            if source is None and parameter.default is parameter.empty:
                raise TypeError(f"there is no argument for the parameter `{parameter.name}`")
            if source is None:
                break
            self.arguments.append(source)
        # Parameters behind an omitted default are passed by keyword.
        named = [one for one in parameters if one.kind is one.KEYWORD_ONLY]
        for parameter in [*positional[len(self.arguments) :], *named]:
            source = _SOURCES.get(parameter.name) or class_reference(classes, parameter.name)
            if source is not None:
                self.keywords[parameter.name] = source
            elif parameter.default is parameter.empty:
                raise TypeError(f"there is no argument for the parameter `{parameter.name}`")


class _Program:
    """A program in one environment, with its own global variables."""

    def __init__(self, code: types.CodeType, name: str, world: _Screens | _States) -> None:
        self._code, self._name, self._world = code, name, world
        # Classes look their module up by its name, data classes for example.
        self._module_name = f"goalspec_reward_{next(_COUNTER)}"
        weakref.finalize(self, sys.modules.pop, self._module_name, None)
        self.reset()

    def reset(self) -> None:
        """Run the top level of the program anew."""
        self._previous: Frame | None = None
        module = sys.modules[self._module_name] = types.ModuleType(self._module_name)
        module.__dict__["__builtins__"] = vars(builtins) | {"__import__": self._import}
        try:
            exec(self._code, module.__dict__)
        except Exception as error:
            raise RefusedError(f"cannot run `{self._name}`: its top level ends with {type(error).__name__}: {error}") from None
        self._entry = self._find_entry(module)

    def _import(self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if level == 0 and self._world.is_module(name):
            modules = _modules(name, self._world.members())
            return modules[-1 if fromlist else 0]
        if level == 0 and name.split(".")[0] == "ocatari":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return builtins.__import__(name, globals, locals, fromlist, level)

    def _find_entry(self, module: types.ModuleType) -> _Entry:
        functions = {name: value for name, value in vars(module).items() if isinstance(value, types.FunctionType)}
        named = next((functions[name] for name in _CONVENTIONAL_NAMES if name in functions), None)
        own = [value for value in functions.values() if value.__module__ == module.__name__]
        fitting: list[_Entry] = []
        reason = "it has no function that computes the reward"
        for function in own if named is None else [named]:
            try:
                fitting.append(_Entry(function, self._world.classes))
            except TypeError as error:
                reason = str(error)
        if len(fitting) > 1:
            names = ", ".join(f"`{entry.function.__name__}`" for entry in fitting)
            reason = f"the functions {names} may compute the reward; name one of them `reward_function`"
        if len(fitting) != 1:
            raise RefusedError(f"cannot run `{self._name}`: {reason}")
        return fitting[0]

    def call(self, frame: Frame, action: Any) -> tuple[float, dict[str, float]]:
        """Return the reward and its components. Raises ``RewardError`` if the function raises, or returns no reward."""
        entry, classes = self._entry, self._world.classes
        objects, fields = now = frame()
        sources = [*entry.arguments, *entry.keywords.values()]
        has_previous = self._previous is not None and "previous" in sources
        before, self._previous = (self._previous or frame), frame

        def argument(source: _Source) -> Any:
            if isinstance(source, tuple):
                return objects_of_class(objects, source)
            if source == "previous":
                return State(*(before() if has_previous else now), classes)
            if source in ("state", "env"):
                return (State if source == "state" else Environment)(objects, fields, classes)
            return objects if source == "objects" else action

        try:
            keywords = {name: argument(source) for name, source in entry.keywords.items()}
            result = entry.function(*map(argument, entry.arguments), **keywords)
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


def _modules(name: str, members: Mapping[str, Any]) -> list[types.ModuleType]:
    """Return a module of the classes of a world, after the packages that contain it."""
    parts = name.split(".")
    modules = [types.ModuleType(".".join(parts[: count + 1])) for count in range(len(parts))]
    for outer, inner, part in zip(modules, modules[1:], parts[1:], strict=False):
        setattr(outer, part, inner)
    vars(modules[-1]).update(members)
    return modules


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


class _Screens:
    """The screens of an Atari game in one or more environments."""

    def __init__(self, world: str, count: int, slots: Sequence[str]) -> None:
        self._world = world
        self._screens = [_core.AtariScreen(world.removeprefix("atari/"), False) for _ in range(count)]
        rows = _core.screen_classes(world)
        self._extras = {row["name"]: row["extras"] for row in rows}
        self.classes = screen_classes(rows)
        self._by_name = {kind.__name__: kind for kind in self.classes}
        for slot in slots:
            if slot not in self._by_name:
                raise KeyError(f"unknown class `{slot}` of `{world}`")
        self.slots = list(slots)
        self._corners: list[list[tuple[int, int] | None]] = [[None] * len(slots) for _ in range(count)]

    def is_module(self, name: str) -> bool:
        """Whether a module has the classes of the game."""
        return name in (f"ocatari.ram.{self._world.removeprefix('atari/')}", "ocatari.ram.game_objects")

    def members(self) -> dict[str, Any]:
        """Return the names of the module."""
        return self._by_name | {"Orientation": Orientation}

    def screen(self) -> str | None:
        """Return the name of the game."""
        return self._screens[0].game()

    def reset(self, place: int) -> None:
        """Discard the frames of an environment."""
        self._corners[place] = [None] * len(self.slots)
        self._screens[place].reset()

    def _frame(self, rows: Sequence[Mapping[str, Any]]) -> Frame:
        return lambda: ([self._object(row) for row in rows], {})

    def _object(self, row: Mapping[str, Any]) -> Any:
        made = self._by_name[row["category"]]()
        for name, value in row.items():
            setattr(made, name, value)
        if isinstance(made.orientation, str):
            made.orientation = Orientation[made.orientation]
        for name, value in zip(self._extras[row["category"]], row["extras"], strict=True):
            setattr(made, name, value)
        del made.extras
        return made

    def read(self, objects: Any) -> Frame:
        """Return the next frame of the first environment, from its objects."""
        return self._frame([_core.screen_object(self._world, one) for one in objects])

    def boxes(self, place: int, boxes: npt.NDArray[np.int32], present: npt.NDArray[np.bool_] | None) -> Frame:
        """Return the next frame of an environment, from its boxes."""
        rows = []
        for slot, name in enumerate(self.slots):
            if present is not None and not present[place, slot]:
                self._corners[place][slot] = None
                continue
            x, y, w, h = boxes[slot].tolist()
            thing = {"category": name, "x": x, "y": y, "w": w, "h": h, "prev_xy": self._corners[place][slot]}
            self._corners[place][slot] = (x, y)
            rows.append(_core.screen_object(self._world, thing))
        return self._frame(rows)

    def decoded(self, place: int, ram: npt.NDArray[np.uint8]) -> Frame:
        """Return the next frame of an environment, from its memory."""
        self._screens[place].step(ram)
        return self._frame(self._screens[place].objects())


class _States:
    """The states of a world in one or more environments."""

    def __init__(self, world: _core.World, count: int, columns: Sequence[str]) -> None:
        self._core = _core.ObjectStates(world, count, list(columns))
        self.classes = entity_classes(self._core.classes())

    def is_module(self, name: str) -> bool:
        """Whether a module has the classes of the world."""
        return name.startswith(("goalspec.world", "ocatari.ram.", "ocatari.vision."))

    def members(self) -> dict[str, Any]:
        """Return the names of the module. The first of several classes with the same name takes the name."""
        return {kind.__name__: kind for kind in reversed(self.classes)}

    def screen(self) -> str | None:
        """Return ``None``: the world is no screen."""
        return None

    def reset(self, place: int) -> None:
        """Discard the states of an environment."""
        self._core.reset(place)

    def _frame(self, frame: _core.ObjectFrame) -> Frame:
        return lambda: frame.build(self.classes)

    def read(self, state: Any) -> Frame:
        """Return the next state of the first environment, from a dictionary."""
        return self._frame(self._core.read(0, state))

    def rows(self, rows: npt.NDArray[np.float64], selected: npt.NDArray[np.bool_]) -> list[Frame | None]:
        """Return the next state of each selected environment, from the rows of a matrix."""
        frames = self._core.read_rows(rows, selected)
        return [None if frame is None else self._frame(frame) for frame in frames]


class HostRewards:
    """A reward function in one or more environments, with the methods of the engine's."""

    def __init__(
        self, text: str, name: str, world: _core.World, takes_states: bool, count: int, names: Sequence[str]
    ) -> None:
        is_screen = world.name.startswith("atari/") and not takes_states
        self._world = _Screens(world.name, count, names) if is_screen else _States(world, count, names)
        try:
            code = compile(text, f"<{name}>", "exec")
        except (SyntaxError, ValueError) as error:
            raise RefusedError(f"cannot run `{name}`: {error}") from None
        self._programs = [_Program(code, name, self._world) for _ in range(count)]

    def call(self, objects: Any, action_value: Any) -> tuple[float, dict[str, float]]:
        """Call the function in the first environment with objects or a state, as the engine does."""
        return self._programs[0].call(self._world.read(objects), action_value)

    def screen(self) -> str | None:
        """Return the name of the game; ``None`` if the world is no screen."""
        return self._world.screen()

    def _screens(self) -> _Screens:
        if isinstance(self._world, _States):
            raise ValueError("the world of the reward function is not the screen of a game")
        return self._world

    def _selected(self, selection: Selection) -> npt.NDArray[np.bool_]:
        where, actions = selection
        count = len(self._programs)
        if where is not None and len(where) != count:
            raise ValueError(f"expected {count} truth values for where, found {len(where)}")
        if actions is not None and len(actions) != count:
            raise ValueError(f"expected {count} actions, found {len(actions)}")
        return np.ones(count, np.bool_) if where is None else np.asarray(where, np.bool_)

    def _step(
        self, frames: Iterable[Frame | None], actions: Sequence[Any] | None
    ) -> tuple[npt.NDArray[np.float64], dict[int, RewardError]]:
        rewards, errors = np.zeros(len(self._programs)), {}
        for place, frame in enumerate(frames):
            if frame is None:
                continue
            try:
                rewards[place] = self._programs[place].call(frame, None if actions is None else actions[place])[0]
            except RewardError as error:
                rewards[place], errors[place] = math.nan, error
        return rewards, errors

    def step_boxes(
        self, boxes: npt.NDArray[np.int32], present: npt.NDArray[np.bool_] | None, selection: Selection
    ) -> tuple[npt.NDArray[np.float64], dict[int, RewardError]]:
        """Call the function in every environment with boxes."""
        selected, screens = self._selected(selection), self._screens()
        shape = (len(self._programs), len(screens.slots), 4)
        if not screens.slots or boxes.shape != shape:
            raise ValueError(f"expected boxes of the shape {shape}, one for each slot, found {boxes.shape}")
        if present is not None and present.shape != shape[:2]:
            raise ValueError(f"expected {shape[0]} rows of {shape[1]} truth values for present")
        frames = (screens.boxes(place, boxes[place], present) if selected[place] else None for place in range(shape[0]))
        return self._step(frames, selection[1])

    def step_ram(
        self, ram: npt.NDArray[np.uint8], selection: Selection
    ) -> tuple[npt.NDArray[np.float64], dict[int, RewardError]]:
        """Call the function in every environment with the decoded memory."""
        selected, screens = self._selected(selection), self._screens()
        shape = (len(self._programs), 128)
        if ram.shape != shape:
            raise ValueError(f"expected memory of the shape {shape}, found {ram.shape}")
        frames = (screens.decoded(place, ram[place]) if selected[place] else None for place in range(shape[0]))
        return self._step(frames, selection[1])

    def step_columns(
        self, rows: npt.NDArray[np.float64], selection: Selection
    ) -> tuple[npt.NDArray[np.float64], dict[int, RewardError]]:
        """Call the function in every environment with the states in the rows of a matrix."""
        selected = self._selected(selection)
        if isinstance(self._world, _Screens):
            raise ValueError("the world of the reward function is the screen of a game")
        return self._step(self._world.rows(rows, selected), selection[1])

    def reset(self, selected: npt.NDArray[np.bool_] | None) -> None:
        """Restart the selected environments."""
        for place in np.flatnonzero(self._selected((selected, None))).tolist():
            self._world.reset(place)
            self._programs[place].reset()
