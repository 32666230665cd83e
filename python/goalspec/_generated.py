"""New goals as programs, and the generators that make them of libraries, programs and paths."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar, cast

from goalspec import _core
from goalspec._errors import CheckError
from goalspec._library import Library, Path, Program, _load_options, load

Games = Program | Library | Path | Iterable[Program | Path]

_WORLD_ENDING = ".world.toml"

_UNAVAILABLE = "game/unavailable"
"""The code of what a world cannot evaluate. An example may use it, since new games do not."""


class GeneratedGoal(Program):
    """A new goal. It is a program like one that was loaded, with the record of its origin."""

    def __init__(self, core: _core.Library, options: Mapping[str, Any], record: Mapping[str, Any]) -> None:
        # The texts that a goal needs come before it.
        programs = core.programs()
        super().__init__(core, len(programs) - 1, programs[-1], options)
        self.name = record["name"]
        self.record: dict[str, Any] = dict(record)
        """The record that ``goalspec generate --format jsonl`` prints, or that of an archive, without the text."""

    @property
    def seed(self) -> int | None:
        """The seed of its series; ``None`` for a game of an archive."""
        return self.record.get("seed")

    @property
    def index(self) -> int | None:
        """Its index in the series; ``None`` for a game of an archive."""
        return self.record.get("index")

    @property
    def parent(self) -> str | None:
        """The name of the goal that was varied."""
        return self.record.get("parent")

    @property
    def like(self) -> str | None:
        """The name of the example that it is like."""
        return self.record.get("like")

    @property
    def plan(self) -> tuple[str, ...] | None:
        """The steps of a plan for a planning problem; ``None`` for goals of other languages."""
        plan = self.record.get("plan")
        return None if plan is None else tuple(plan)

    def __repr__(self) -> str:
        return f"<goalspec.generate.GeneratedGoal {self.name!r} in {self.language}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _goal_of_texts, (type(self), self._core.texts(), self._options, self.record)


class GeneratedGame(GeneratedGoal):
    """A new game of the game language."""

    @property
    def operator(self) -> str | None:
        """The name of the operator that made it."""
        return self.record.get("operator")

    @property
    def nodes(self) -> int:
        """The number of nodes of its syntax tree."""
        return cast(int, self.record["nodes"])

    @property
    def fitness(self) -> float | None:
        """Its fitness; ``None`` if it was not judged."""
        return self.record.get("fitness")

    @property
    def cell(self) -> tuple[int, ...] | None:
        """Its cell; ``None`` if it was not judged, or archives do not admit it."""
        cell = self.record.get("cell")
        return None if cell is None else tuple(cell)

    def __repr__(self) -> str:
        return f"<goalspec.generate.GeneratedGame {self.name!r} with {self.nodes} nodes>"


_Goal = TypeVar("_Goal", bound=GeneratedGoal)


def _goal_of_texts(
    kind: type[_Goal], texts: Sequence[tuple[str, str]], options: Mapping[str, Any], record: Mapping[str, Any]
) -> _Goal:
    return kind(_core.load_texts(texts, dict(options)), options, record)


def _without_text(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key not in ("program", "text")}


class _Generation:
    """A generator with the texts of the worlds that its games need."""

    def __init__(
        self, corpus: Games, games: Games, world: Path | None, model: str | None, options: Mapping[str, Any]
    ) -> None:
        examples, given = _selected(corpus), _selected(games)
        libraries = [library._core for library, _ in (examples, given)]
        if world is not None and os.path.isfile(world):
            libraries.append(load(world)._core)
        programs = given[0].programs
        self.names = [programs[index].name for index in given[1]]
        self._worlds: dict[str, str] = {}
        for core in libraries:
            _add_worlds(core.texts(), self._worlds)
        self.core = _core.Generation(
            (examples[0]._core, examples[1]),
            (given[0]._core, given[1]),
            None if world is None else _world(world, libraries),
            dict(options),
            model,
        )
        for name, reason in self.core.left_out():
            warnings.warn(f"`{name}` is left out of the corpus: {reason}", stacklevel=3)

    def game(self, text: str, record: Mapping[str, Any]) -> GeneratedGame:
        options = _load_options(None, None, None, None, ())
        texts = [*self._worlds.items(), (f"{record['name']}.game", text)]
        return _goal_of_texts(GeneratedGame, texts, options, _without_text(record))


_ENDINGS = {"pddl": ".pddl", "bddl": ".bddl", "rgg": ".yaml"}


class _Examples:
    """A generator of goals in the languages besides games, with the texts that the goals need."""

    def __init__(self, library: Library, steps: int | None, is_variation: bool) -> None:
        self._options = library._options
        programs = library.programs
        self.core = _core.Examples(library._core, steps, is_variation)
        for name, reason in self.core.left_out():
            warnings.warn(f"`{name}` is left out of the examples: {reason}", stacklevel=4)
        for others in self.core.others():
            warnings.warn(f"the {others} are left out of the examples", stacklevel=4)
        # Domains of planning problems and worlds are no programs.
        own = {program.name.rpartition("#")[0] or program.name for program in programs}
        own |= {program.name for program in programs}
        texts = library._core.texts()
        self._texts = [(name, text) for name, text in texts if name not in own]
        self._all_texts = texts

    def game(self, text: str, record: Mapping[str, Any]) -> GeneratedGoal:
        new = (f"{record['name']}{_ENDINGS[record['language']]}", text)
        goal = None
        for texts in (self._texts, self._all_texts):
            core = _core.load_texts([*texts, new], self._options)
            if any(one.severity == "error" for one in core.diagnostics()) or not core.programs():
                continue
            goal = GeneratedGoal(core, self._options, _without_text(record))
            break
        assert goal is not None, "a new goal checks"
        return goal


def _listed(games: Games) -> Games:
    """Return games that can be looked at several times: a library, of paths too, or a list."""
    if isinstance(games, Library):
        return games
    items = [games] if isinstance(games, str | os.PathLike | Program) else list(cast(Iterable[Any], games))
    for item in items:
        if not isinstance(item, str | os.PathLike | Program):
            raise TypeError(f"expected games, a library or paths, found an object of type `{type(item).__name__}`")
    if items and not any(isinstance(item, Program) for item in items):
        return load(*cast(list[Path], items), strict=False)
    return items


def _other_examples(games: Games) -> Library | None:
    """Return the library of examples that are no games; ``None`` if there is a game, or nothing."""
    if not isinstance(games, Library):
        items = list(cast(Iterable[Any], games))
        programs = [item for item in items if isinstance(item, Program)]
        if not items or any(program.language == "game" for program in programs):
            return None
        if len(programs) < len(items):
            raise TypeError("expected either programs or paths as examples that are no games")
        games = _library_of(programs)
    languages = {program.language for program in games}
    if "game" in languages or not languages & set(_ENDINGS):
        return None
    return _without_errors(games)


def _library_of(programs: Sequence[Program]) -> Library:
    """Return a library with some programs of one library, and with what they need."""
    cores = {id(program._core): program._core for program in programs}
    if len(cores) > 1:
        raise ValueError("the examples are of several libraries: load them together")
    core, options = programs[0]._core, programs[0]._options
    chosen = {program.name.rpartition("#")[0] or program.name for program in programs} | {program.name for program in programs}
    others = {record["name"].rpartition("#")[0] or record["name"] for record in core.programs()}
    texts = [(name, text) for name, text in core.texts() if name in chosen or name not in others]
    library = Library._of(_core.load_texts(texts, options), options)
    surplus = {program.name for program in library} - {program.name for program in programs}
    if surplus:
        raise ValueError(f"`{min(surplus)}` is in the text of an example: choose all programs of a text")
    return library


def _selected(games: Games) -> tuple[Library, list[int]]:
    """Return a library and the indices of its games, or of the given programs; no index only if nothing is given."""
    if isinstance(games, str | os.PathLike | Program):
        games = [games]
    if isinstance(games, Library):
        return games, _games_of(_without_errors(games))
    items = list(cast(Iterable[Any], games))
    if not items:
        return Library(), []
    if all(isinstance(item, str | os.PathLike) for item in items):
        library = _loaded(items)
        return library, _games_of(library)
    programs: list[Program] = []
    for item in items:
        if isinstance(item, Program):
            programs.append(item)
        elif isinstance(item, str | os.PathLike):
            library = _loaded([item])
            loaded = library.programs
            programs += [loaded[index] for index in _games_of(library)]
        else:
            raise TypeError(f"expected games, a library or paths, found an object of type `{type(item).__name__}`")
    return _of_one_library(programs)


def _loaded(paths: list[Path]) -> Library:
    return _without_errors(load(*paths, strict=False))


def _without_errors(library: Library) -> Library:
    found = library.diagnostics
    if any(one.severity == "error" and one.code != _UNAVAILABLE for one in found):
        raise CheckError(found)
    return library


def _games_of(library: Library) -> list[int]:
    games = [index for index, program in enumerate(library) if program.language == "game"]
    if not games:
        raise ValueError("there is no game among the programs")
    return games


def _add_worlds(texts: Iterable[tuple[str, str]], worlds: dict[str, str]) -> None:
    """Add the files of worlds among texts."""
    for name, text in texts:
        if name.endswith(_WORLD_ENDING) and worlds.setdefault(name, text) != text:
            raise ValueError(f"there are two worlds of the same file name, `{name}`, with different content")


def _of_one_library(programs: Sequence[Program]) -> tuple[Library, list[int]]:
    """Return one library with programs of several, and their indices in it."""
    cores = {id(program._core): program._core for program in programs}
    if len(cores) == 1:
        return Library._of(programs[0]._core, programs[0]._options), [program._index for program in programs]
    worlds: dict[str, str] = {}
    texts: dict[str, str] = {}
    names: dict[tuple[int, int], str] = {}
    for place, (key, core) in enumerate(cores.items()):
        _add_worlds(core.texts(), worlds)
        own = {}
        for name, text in core.texts():
            if not name.endswith(_WORLD_ENDING):
                # Texts of two libraries may have the same name.
                own[name] = name if name not in texts else f"{place}/{name}"
                texts[own[name]] = text
        for index, record in enumerate(core.programs()):
            text_name, _, part = record["name"].rpartition("#")
            names[key, index] = own.get(record["name"]) or f"{own.get(text_name, text_name)}#{part}"
    options = _load_options(None, None, None, None, ())
    merged = Library._of(_core.load_texts([*worlds.items(), *texts.items()], options), options)
    indices = {program.name: index for index, program in enumerate(merged)}
    missing = [program.name for program in programs if names[id(program._core), program._index] not in indices]
    if missing:
        raise ValueError(f"`{missing[0]}` cannot be used with programs of other libraries: load them together")
    return merged, [indices[names[id(program._core), program._index]] for program in programs]


def _world(world: Path, libraries: Sequence[_core.Library]) -> _core.World:
    """Return the world with a name; that of the last library if it is a file."""
    name = os.fspath(world)
    if os.path.isfile(world):
        worlds = libraries[-1].program_worlds()
        if not worlds:
            raise ValueError(f"the file `{name}` has no world")
        return worlds[0]
    built_in = _core.built_in_world(name)
    known = [found for core in libraries for found in core.program_worlds()]
    for found in [*known, *([] if built_in is None else [built_in])]:
        if found.name == name:
            return found
    raise ValueError(f"there is no world `{name}`, neither as a file nor among the worlds of the games and the built-in ones")
