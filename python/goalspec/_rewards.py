"""Reward functions, called in one environment or in many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from goalspec import _core
from goalspec._errors import RewardError
from goalspec._host import HostRewards
from goalspec._library import Library, Program
from goalspec._monitors import program_of
from goalspec._traces import Trace, column_name, source_of, world_of


class Reward(NamedTuple):
    """The result of a reward function: its value, and its components by name (empty if it returns only a value)."""

    value: float
    components: dict[str, float]


class VectorReward(NamedTuple):
    """The results of a reward function in many environments, as fresh arrays."""

    reward: npt.NDArray[np.float64]
    """The reward of each environment, float64[environments]; NaN where the function raised."""
    errors: dict[int, RewardError]
    """The exceptions, by index of the environment."""


class RewardFunction:
    """A reward function in one environment, whose state it keeps between calls. It can be pickled before the first call of an episode.

    Args:
        program: A reward function, or a library of one.
        world: The world of its objects, if it imports none: a name, a program, a library or a trace. With a trace, also one of an Atari
            game, the function takes states as those of the trace.
        engine: ``"auto"``: the fast engine for what it covers, and the slow interpreter, which gives the same results, for the rest;
            ``"fast"`` or ``"reference"``: one of them alone. ``"python"``: the interpreter that runs this package, for programs that the
            other engines refuse. It gives the same results for what they run, but has no sandbox and no limits: the program can do whatever
            Python can, so that it has to be trusted. Its random numbers are not those of the other engines.

    Raises:
        ValueError: If the program is not a reward function, or its world is unknown.
        RefusedError: If the program has errors (except with the engine ``"python"``), or the engine does not run it.

    >>> import goalspec
    >>> text = "from ocatari.ram.pong import Ball\\ndef reward_function(objects):\\n    return len(objects) / 2\\n"
    >>> frame = [{"category": "Ball", "x": 60, "y": 79, "w": 2, "h": 4}]
    >>> goalspec.RewardFunction(goalspec.loads(text, name="half.py"))(frame).value
    0.5
    """

    def __init__(
        self, program: Program | Library, world: str | Program | Library | Trace | None = None, *, engine: str = "auto"
    ) -> None:
        source = None if world is None else source_of(world)
        if source is None and isinstance(world, Trace):
            source = world.world
        self._start(program_of(program), world, source, isinstance(world, Trace), engine)

    def _start(
        self,
        program: Program,
        world: str | Program | Library | Trace | None,
        source: str | Program | Library | None,
        takes_states: bool,
        engine: str,
    ) -> None:
        """Compile the program for one environment. ``source`` is the world in another process."""
        self._program = program
        self._world = None if world is None else world_of(world)
        self._source = source
        self._takes_states = takes_states
        self._engine = engine
        self._called = False
        self._core = self._compile(1, [])

    def _compile(self, count: int, names: list[str]) -> _core.Rewards | HostRewards:
        program = self._program
        if self._engine == "python":
            if program.language != "reward":
                raise ValueError(f"`{program.name}` is not a reward function")
            return HostRewards(program.text, program.name, self._host_world(), self._takes_states, count, names)
        if self._engine not in ("auto", "fast", "reference"):
            raise ValueError(f"unknown engine `{self._engine}`: expected `auto`, `fast`, `reference` or `python`")
        world = None if self._world is None else (self._world, self._takes_states)
        return _core.compile_reward(program._core, program._index, world, self._engine, count, names)

    def _host_world(self) -> _core.World:
        """Return the world for the engine ``"python"``: the only one of the library for a program whose imports are not understood."""
        core = self._program._core
        world = self._world or core.program_world(self._program._index)
        if world is None:
            worlds = core.program_worlds()
            if len(worlds) != 1:
                raise ValueError(f"`{self._program.name}` imports no world: pass the world of its objects")
            world = worlds[0]
        return world

    def __call__(
        self, objects: Iterable[Any] | Mapping[str, Any], action: int | float | str | None = None
    ) -> Reward:
        """Call the function with the next frame of the episode.

        Args:
            objects: For the screen of a game, a list of objects with the attributes of OCAtari's, or of dictionaries with such keys:
                ``category`` (the class), ``x``, ``y``, ``w``, ``h``, and optionally ``prev_xy``, ``rgb``, ``value``, ``hud``. For another
                world, the state as a dictionary with the fields of the trace format, the difference from the state before it.
            action: The action of the agent, for functions that take it.

        Raises:
            RewardError: If the function raises.
            TraceError: If it is not a state of the world.
        """
        self._called = True
        return Reward(*self._core.call(objects, action))

    def reset(self) -> None:
        """Restart for a new episode: the program discards all state."""
        self._called = False
        self._core.reset(None)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._called:
            raise TypeError("a reward function keeps the state of an episode, which cannot be pickled: reset it first")
        return _reward_function, (self._program, self._source, self._takes_states, self._engine)

    def vector(
        self, num_envs: int, *, objects: Sequence[str] = (), columns: Sequence[str] = ()
    ) -> VectorRewardFunction:
        """Return the function in many environments, each with its own state.

        Args:
            num_envs: The number of environments.
            objects: For the screen of a game, the class of the object in each slot of the arrays that ``step`` takes.
            columns: For another world, the names of the columns of the matrices that ``step`` takes, as for ``Monitor``.

        Raises:
            KeyError: If there is no such class or column; the message suggests the nearest name.
        """
        if num_envs < 1:
            raise ValueError(f"expected at least 1 environment, found {num_envs}")
        if objects and columns:
            raise ValueError("objects are for the screen of a game, columns for other worlds")
        names = [*objects, *(column_name(name) for name in columns)]
        return VectorRewardFunction(self._compile(num_envs, names), num_envs, bool(columns))

    def __repr__(self) -> str:
        return f"<goalspec.RewardFunction {self._program.name!r}>"


def _reward_function(
    program: Program, source: str | Program | Library | None, takes_states: bool, engine: str
) -> RewardFunction:
    """Create a reward function before its first call."""
    function = RewardFunction.__new__(RewardFunction)
    function._start(program, source, source, takes_states, engine)
    return function


class VectorRewardFunction:
    """A reward function in many environments; made by ``RewardFunction.vector``."""

    def __init__(self, core: _core.Rewards | HostRewards, num_envs: int, has_columns: bool) -> None:
        self._core = core
        self._has_columns = has_columns
        self.num_envs: int = num_envs
        """The number of environments."""

    def _result(
        self, result: tuple[npt.NDArray[np.float64], dict[int, RewardError]], on_error: str
    ) -> VectorReward:
        if on_error not in ("nan", "raise"):
            raise ValueError(f"unknown value `{on_error}` for on_error: expected `nan` or `raise`")
        rewards, errors = result
        if errors and on_error == "raise":
            raise errors[min(errors)]
        return VectorReward(rewards, errors)

    def step(
        self,
        values: npt.ArrayLike,
        *,
        present: npt.NDArray[np.bool_] | None = None,
        where: npt.NDArray[np.bool_] | None = None,
        actions: Sequence[int | float | str | None] | None = None,
        on_error: str = "nan",
    ) -> VectorReward:
        """Call the function in every environment with the next frame.

        Args:
            values: With ``objects``, the boxes of the objects, int32[environments, slots, 4]: x, y, width and height in pixels. With
                ``columns``, the states, float64[environments, columns].
            present: With ``objects``, whether there is an object in each slot, bool[environments, slots].
            where: The environments that are stepped, bool[environments]. The others are unchanged, and their reward is 0.
            actions: The actions of the agents, for functions that take them.
            on_error: ``"nan"``: the reward of an environment where the function raises is NaN, and the exception is in ``errors``;
                ``"raise"``: the first exception is raised.

        Raises:
            ValueError: If a shape differs.
        """
        if self._has_columns:
            return self._result(self._core.step_columns(np.asarray(values, dtype=np.float64), (where, actions)), on_error)
        return self._result(self._core.step_boxes(np.asarray(values, dtype=np.int32), present, (where, actions)), on_error)

    def step_ram(
        self,
        ram: npt.NDArray[np.uint8],
        *,
        where: npt.NDArray[np.bool_] | None = None,
        actions: Sequence[int | float | str | None] | None = None,
        on_error: str = "nan",
    ) -> VectorReward:
        """Call the function in every environment with the objects on the screens, decoded from the memory of the consoles.

        Args:
            ram: The memory of each console, uint8[environments, 128].
            where, actions, on_error: As in ``step``.

        Raises:
            ValueError: If the shape differs, or the world is not the screen of a game.
        """
        return self._result(self._core.step_ram(ram, (where, actions)), on_error)

    def reset(self, where: npt.NDArray[np.bool_] | None = None) -> None:
        """Restart all environments, or those in ``where`` (bool[environments]), for a new episode."""
        self._core.reset(where)

    def __repr__(self) -> str:
        return f"<goalspec.VectorRewardFunction in {self.num_envs} environments>"
