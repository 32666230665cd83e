"""Extractors: what a program sees of an environment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from goalspec import _core

F64 = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

RAM_BYTES = 128


class Extractor:
    """The base of extractors.

    An extractor is called once for every state, with the environment, its observation and its info, and returns the numbers of the state,
    float64[columns]. Without columns it returns what ``Monitor.step`` or a reward function takes: a dictionary, or a list of objects.
    """

    columns: Sequence[str] | None = None
    """The names of the numbers, as for ``Monitor``; ``None`` if states are no numbers."""
    reads_env = False
    """Whether it reads the environment itself, and not only its observation."""
    ends_with_rewards = False
    """Whether its last two columns are the environment's own reward of the step and the sum of these, which the wrapper fills in."""
    swaps_flags = False
    """Whether the environment returns its flags in the wrong order, truncated before terminated."""

    def bind(self, observation_space: Any, num_envs: int) -> None:
        """Prepare for environments with this space of observations; an exception refuses it."""

    def reset(self, where: Bools) -> None:
        """Restart the environments in ``where`` before the first state of an episode."""

    def __call__(self, env: Any, observation: Any, info: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    def batch(self, envs: Any, observations: Any, infos: Mapping[str, Any], where: Bools) -> Any:
        """Return the states of many environments, float64[environments, columns]; only the rows in ``where`` are used."""
        rows: list[Any] = [None] * len(where)
        for place, env, observation, info in each(envs, observations, infos, where):
            rows[place] = self(env, observation, info)
        return stacked(rows, where)


class FunctionExtractor(Extractor):
    """A callable as an extractor."""

    def __init__(self, function: Callable[..., Any], columns: Sequence[str] | None) -> None:
        self.function = function
        self.columns = columns if columns is not None else getattr(function, "columns", None)
        self.reads_env = bool(getattr(function, "reads_env", False))

    def __call__(self, env: Any, observation: Any, info: Mapping[str, Any]) -> Any:
        return self.function(env, observation, info)

    def reset(self, where: Bools) -> None:
        reset = getattr(self.function, "reset", None)
        if reset is not None:
            reset(where)

    def batch(self, envs: Any, observations: Any, infos: Mapping[str, Any], where: Bools) -> Any:
        function = getattr(self.function, "batch", None)
        return super().batch(envs, observations, infos, where) if function is None else function(envs, observations, infos)


class AtariRam(Extractor):
    """The objects on the screen of an Atari game, decoded from the memory of the console as OCAtari 2.2.1 does, without OCAtari.

    Args:
        game: The name of the game, for example ``"Pong"`` or ``"ALE/Pong-v5"``.
        hud: Whether scores, lives and the like are among the objects, for games that read them.

    The memory is the observation if the environment shows it (``obs_type="ram"``), and is read from the emulator otherwise.
    The columns are the presence of each object and its attributes, then ``(points)`` and ``(score)``, the game's own rewards.
    """

    ends_with_rewards = True

    def __init__(self, game: str, *, hud: bool = False) -> None:
        self._arguments = (game, hud)
        self._screens = [_core.AtariScreen(game, hud)]
        self._columns = self._screens[0].column_names()
        self.columns = [*self._columns, "(points)", "(score)"]
        self._histories: list[list[npt.NDArray[np.uint8]]] = [[]]
        self.reads_env = True

    def bind(self, observation_space: Any, num_envs: int) -> None:
        shape, dtype = getattr(observation_space, "shape", None), getattr(observation_space, "dtype", None)
        self.reads_env = not (shape == (RAM_BYTES,) and dtype == np.uint8)
        self._screens = [_core.AtariScreen(*self._arguments) for _ in range(num_envs)]
        self._histories = [[] for _ in range(num_envs)]

    def reset(self, where: Bools) -> None:
        for place in np.flatnonzero(where):
            self._screens[place].reset()
            self._histories[place] = []

    def ram(self, env: Any, observation: Any) -> npt.NDArray[np.uint8]:
        """Return the memory of the console, uint8[128]."""
        if not self.reads_env:
            return np.array(observation, np.uint8)
        try:
            return np.asarray(env.unwrapped.ale.getRAM(), np.uint8)
        except AttributeError:
            raise TypeError("AtariRam reads environments of ale-py, `ALE/..-v5`, or observations of memory, uint8[128]") from None

    def rams(self, envs: Any, observations: Any, infos: Mapping[str, Any], where: Bools) -> npt.NDArray[np.uint8]:
        """Return the memory of many consoles, uint8[environments, 128]."""
        if not self.reads_env:
            return np.array(observations, np.uint8)
        rams = np.zeros((len(where), RAM_BYTES), np.uint8)
        for place, env, observation, _ in each(envs, observations, infos, where):
            rams[place] = self.ram(env, observation)
        return rams

    def _row(self, place: int, ram: npt.NDArray[np.uint8]) -> F64:
        self._histories[place].append(ram)
        self._screens[place].step(ram)
        return np.concatenate([self._screens[place].row(), np.zeros(2)])

    def __call__(self, env: Any, observation: Any, info: Mapping[str, Any]) -> F64:
        return self._row(0, self.ram(env, observation))

    def batch(self, envs: Any, observations: Any, infos: Mapping[str, Any], where: Bools) -> F64:
        rams = self.rams(envs, observations, infos, where)
        rows: list[Any] = [self._row(place, rams[place]) if wanted else None for place, wanted in enumerate(where)]
        return np.asarray(stacked(rows, where))

    def __deepcopy__(self, memo: dict[int, Any]) -> AtariRam:
        copy = type(self)(self._arguments[0], hud=self._arguments[1])
        copy._screens = [screen.copy() for screen in self._screens]
        copy._histories, copy.reads_env = [list(history) for history in self._histories], self.reads_env
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, (type(self), self._arguments, self._histories, self.reads_env)


def _replayed(
    kind: type[AtariRam], arguments: tuple[str, bool], histories: list[list[npt.NDArray[np.uint8]]], reads_env: bool
) -> AtariRam:
    copy = kind(arguments[0], hud=arguments[1])
    copy._screens = [_core.AtariScreen(*arguments) for _ in histories]
    copy._histories, copy.reads_env = histories, reads_env
    for screen, history in zip(copy._screens, histories, strict=True):
        for ram in history:
            screen.step(ram)
    return copy


class OCAtariObjects(Extractor):
    """The objects of an environment of OCAtari.

    Args:
        game: The name of the game, for programs in the game language, which see its world; reward functions need none.
        hud: Whether the environment shows scores, lives and the like.

    OCAtari returns the flags ``truncated`` and ``terminated`` of a step in the wrong order; the wrapper of a reward with this extractor
    exchanges them.
    """

    reads_env = True
    swaps_flags = True

    def __init__(self, game: str | None = None, *, hud: bool = False) -> None:
        self._slots: list[list[str]] = []
        if game is not None:
            screen = _core.AtariScreen(game, hud)
            self.columns = [*screen.column_names(), "(points)", "(score)"]
            self.ends_with_rewards = True
            for name in screen.column_names():
                if "." in name:
                    self._slots[-1].append(name.rpartition(".")[2])
                else:
                    self._slots.append([])

    def __call__(self, env: Any, observation: Any, info: Mapping[str, Any]) -> Any:
        while not hasattr(env, "objects"):
            if not hasattr(env, "env"):
                raise TypeError("OCAtariObjects reads environments with the attribute `objects`, as those of OCAtari")
            env = env.env
        if self.columns is None:
            return [one for one in env.objects if _is_object(one)]
        row: list[float] = []
        for place, attributes in enumerate(self._slots):
            found = env.objects[place] if place < len(env.objects) and _is_object(env.objects[place]) else None
            row.append(float(found is not None))
            row += [0.0 if found is None else _attribute(found, attribute) for attribute in attributes]
        return np.array([*row, 0.0, 0.0])


def _is_object(found: Any) -> bool:
    return getattr(found, "category", "NoObject") != "NoObject"


_ATTRIBUTES = {"right_arm": "right_arm_length", "left_arm": "left_arm_length", "facing": "orientation"}


def _attribute(found: Any, name: str) -> float:
    """Return an attribute of an object of OCAtari as a number; 0 if it has none."""
    value = getattr(found, _ATTRIBUTES.get(name, name), None)
    if name == "facing":
        return {"E": 1.0, "W": -1.0}.get(str(getattr(value, "name", value)), 0.0)
    return 0.0 if value is None else float(getattr(value, "value", value))


class Fields(Extractor):
    """Places in array, dictionary or tuple observations.

    Args:
        places: The place of each column: an index of an array, or a path of keys and indices joined by dots, as ``"pos.1"``.

    >>> Fields({"agent.x": 0, "agent.y": "pos.1"}).columns
    ['agent.x', 'agent.y']
    """

    def __init__(self, places: Mapping[str, int | str]) -> None:
        if not places:
            raise ValueError("expected at least one column")
        self.columns = list(places)
        self._paths = [_path(place) for place in places.values()]

    def __call__(self, env: Any, observation: Any, info: Mapping[str, Any]) -> F64:
        return np.array([_entry(observation, path) for path in self._paths], np.float64)

    def batch(self, envs: Any, observations: Any, infos: Mapping[str, Any], where: Bools) -> F64:
        columns = [_batch_entry(observations, path, len(where)) for path in self._paths]
        return np.stack(columns, axis=1).astype(np.float64)


def _path(place: int | str) -> list[int | str]:
    if isinstance(place, int):
        return [place]
    return [int(part) if part.lstrip("-").isdigit() else part for part in place.split(".")]


def _entry(observation: Any, path: list[int | str]) -> Any:
    found = observation
    for part in path:
        try:
            found = found[part]
        except (KeyError, IndexError, TypeError):
            shown = ".".join(map(str, path))
            raise KeyError(f"the observation has no place `{shown}`: found {_described(found)} at `{part}`") from None
    if np.ndim(found) != 0:
        raise ValueError(f"expected one number at `{'.'.join(map(str, path))}`, found an array of the shape {np.shape(found)}")
    return found


def _described(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"the keys {', '.join(map(str, value))}"
    return f"an array of the shape {np.shape(value)}" if isinstance(value, np.ndarray) else f"a {type(value).__name__}"


def _batch_entry(observations: Any, path: list[int | str], count: int) -> npt.NDArray[Any]:
    """Return a place of batched observations: keys and indices of tuples come before the environment, indices of arrays after it."""
    found = observations
    rest = list(path)
    while rest and not (isinstance(found, np.ndarray) and found.dtype != object):
        found = found[rest.pop(0)]
    if isinstance(found, np.ndarray) and len(found) == count:
        index: tuple[Any, ...] = (slice(None), *rest)
        numbers = np.asarray(found[index])
        if numbers.ndim == 1:
            return numbers
    raise ValueError(f"expected one number for each environment at `{'.'.join(map(str, path))}`")


class Grid(Extractor):
    """The cells of a grid as objects and facts, for arrays as those of MiniGrid.

    Args:
        objects: The object for each code of a cell's first number (in MiniGrid the type: 4 is a door, 5 a key, 8 the goal, 10 the agent).
        world_position: The attributes of the column and the row of an object.
        states: Facts and attributes that depend on the other numbers of an object's cell: for each column the object, the index of the
            number, and the number for which the column is 1: ``{"(open door)": ("door", 2, 0)}``.
        image: The key of the grid in dictionary observations.

    An object that is in no cell is absent.
    """

    def __init__(
        self,
        objects: Mapping[int, str],
        *,
        world_position: tuple[str, str] = ("x", "y"),
        states: Mapping[str, tuple[str, int, int]] | None = None,
        image: str = "image",
    ) -> None:
        if not objects:
            raise ValueError("expected at least one object")
        self._codes = dict(objects)
        self._states = dict(states or {})
        self._image = image
        unknown = [name for name, *_ in self._states.values() if name not in self._codes.values()]
        if unknown:
            raise KeyError(f"states are of objects among {', '.join(self._codes.values())}, found `{unknown[0]}`")
        names = list(self._codes.values())
        self.columns = [
            column for name in names for column in (name, *(f"{name}.{attribute}" for attribute in world_position))
        ] + list(self._states)

    def __call__(self, env: Any, observation: Any, info: Mapping[str, Any]) -> F64:
        grid = np.asarray(observation[self._image] if isinstance(observation, Mapping) else observation)
        cells = grid[..., np.newaxis] if grid.ndim == 2 else grid
        if cells.ndim != 3:
            raise ValueError(f"expected a grid of the shape (columns, rows) or (columns, rows, numbers), found {grid.shape}")
        row: list[float] = []
        found: dict[str, npt.NDArray[Any] | None] = {}
        for code, name in self._codes.items():
            places = np.argwhere(cells[..., 0] == code)
            found[name] = cells[tuple(places[0])] if len(places) else None
            row += [1.0, *map(float, places[0])] if len(places) else [0.0, 0.0, 0.0]
        for name, number, value in self._states.values():
            cell = found[name]
            row.append(float(cell is not None and cell[number] == value))
        return np.array(row)


def each(
    envs: Any, observations: Any, infos: Mapping[str, Any], where: Bools
) -> Iterator[tuple[int, Any, Any, dict[str, Any]]]:
    """Iterate over the selected environments, with their observations and infos; the environment is ``None`` in another process."""
    own = getattr(envs.unwrapped, "envs", None) if envs is not None else None
    for place in np.flatnonzero(where):
        observation = entry(observations, int(place))
        yield int(place), None if own is None else own[place], observation, info_of(infos, int(place))


def entry(observations: Any, place: int) -> Any:
    """Return the observation of one environment."""
    if isinstance(observations, Mapping):
        return {key: entry(value, place) for key, value in observations.items()}
    if isinstance(observations, tuple) and not hasattr(observations, "dtype"):
        return tuple(entry(value, place) for value in observations)
    return observations[place]


def info_of(infos: Mapping[str, Any], place: int) -> dict[str, Any]:
    """Return the info of one environment."""
    own: dict[str, Any] = {}
    for key, value in infos.items():
        mask = infos.get(f"_{key}")
        if not key.startswith("_") and mask is not None and mask[place]:
            own[key] = info_of(value, place) if isinstance(value, Mapping) else value[place]
    return own


def stacked(rows: list[Any], where: Bools) -> Any:
    """Return rows as a matrix; rows that are not selected are 0."""
    selected = np.flatnonzero(where)
    if not len(selected):
        return None
    first = np.asarray(rows[selected[0]], np.float64)
    matrix = np.zeros((len(rows), len(first)))
    for place in selected:
        matrix[place] = rows[place]
    return matrix


def extractor_of(extractor: Any, columns: Sequence[str] | None) -> Extractor:
    """Return an extractor; a callable becomes one."""
    if isinstance(extractor, Extractor):
        if columns is not None:
            raise ValueError(f"columns are for callables; {type(extractor).__name__} has its own")
        return extractor
    if not callable(extractor):
        raise TypeError(f"expected an extractor or a callable, found an object of type `{type(extractor).__name__}`")
    return FunctionExtractor(extractor, columns)
