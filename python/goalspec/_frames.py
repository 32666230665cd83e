"""Frames of screens in memory, as recordings for audits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

_RAM_BYTES = 128


class Frames(NamedTuple):
    """Recorded frames of an Atari game in memory, for ``audit``: arrays with one entry for each frame, in order.

    >>> import numpy as np
    >>> from goalspec import Frames
    >>> ball = {"category": "Ball", "x": 60, "y": 79, "w": 2, "h": 4}
    >>> frames = Frames([[ball], [ball]], reward=[0, 1], action=[0, 2], terminated=[False, True], truncated=[False, False], episode=[0, 0])
    >>> len(frames.objects)
    2
    """

    objects: Any
    """The memory of the console, uint8[frames, 128], or for each frame a list of objects as ``RewardFunction`` takes them."""
    reward: Sequence[float]
    """The reward of the environment for the action before the frame, float[frames]."""
    action: Sequence[int | None]
    """The number of the action before the frame, int[frames]; it does not matter in the first frame of an episode."""
    terminated: Sequence[bool]
    """Whether the episode terminated in the frame, bool[frames]."""
    truncated: Sequence[bool]
    """Whether the episode was truncated in the frame, bool[frames]."""
    episode: Sequence[int]
    """The number of the episode of the frame, int[frames]."""


def _field(thing: Any, name: str, default: Any = None) -> Any:
    value = thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)
    return default if value is None else value


def _row(thing: Any) -> list[Any]:
    """Return an object as a row of a recording."""
    place = [_field(thing, name) for name in ("category", "x", "y", "w", "h")]
    if None in place:
        raise ValueError(f"expected an object with category, x, y, w and h, found {thing!r}")
    previous = _field(thing, "prev_xy", place[1:3])
    flags = [int(_field(thing, "hud", False)), int(_field(thing, "visible", True))]
    orientation = _field(thing, "orientation")
    row = [*place, *previous, *flags, list(_field(thing, "rgb", (0, 0, 0))), getattr(orientation, "name", orientation)]
    for names in (("right_arm_length", "left_arm_length"), ("value", "prev_value")):
        values = [_field(thing, name) for name in names]
        if values[0] is not None:
            return row + [values[0], values[0] if values[1] is None else values[1]]
    return row


def _plain(value: Any) -> Any:
    """Return a scalar of numpy as a number."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"expected a number, a text or a truth value in an object, found an object of type `{type(value).__name__}`")


def recording(world: str | None, frames: Frames) -> bytes:
    """Return the frames as a recording of the game of a world.

    Raises:
        ValueError: If the world is not a screen, or lengths or shapes differ.
    """
    if world is None or not world.startswith("atari/"):
        raise ValueError(f"frames are of the screen of an Atari game, but the world of the program is `{world}`")
    ram: Any = None
    if isinstance(frames.objects, np.ndarray) and frames.objects.dtype != object:
        ram = frames.objects
        if ram.dtype != np.uint8 or ram.ndim != 2 or ram.shape[1] != _RAM_BYTES:
            raise ValueError(f"expected memory of the shape (frames, {_RAM_BYTES}) and type uint8, found {ram.shape} of {ram.dtype}")
    count = len(frames.objects)
    for name, values in zip(frames._fields, frames, strict=True):
        if len(values) != count:
            raise ValueError(f"expected {count} values for {name}, one for each frame, found {len(values)}")
    lines = [json.dumps({"format": "goalspec-screens-1", "game": world.removeprefix("atari/"), "hud": True})]
    before: int | None = None
    for index in range(count):
        episode = int(frames.episode[index])
        action = frames.action[index]
        line: dict[str, Any] = {"t": index, "ep": episode, "a": None if episode != before or action is None else int(action)}
        line["r"] = float(frames.reward[index])
        line["term"], line["trunc"] = bool(frames.terminated[index]), bool(frames.truncated[index])
        if ram is not None:
            line["ram"] = ram[index].tobytes().hex()
        else:
            line["objs"] = [_row(thing) for thing in _objects(frames.objects[index], index)]
        lines.append(json.dumps(line, default=_plain))
        before = episode
    return "\n".join(lines).encode() + b"\n"


def _objects(objects: Any, index: int) -> Iterable[Any]:
    if isinstance(objects, str | Mapping) or not isinstance(objects, Iterable):
        raise TypeError(f"expected a list of objects in frame {index}, found an object of type `{type(objects).__name__}`")
    return objects
