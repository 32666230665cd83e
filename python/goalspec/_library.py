"""Libraries: the sources, worlds and checked programs of one call."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from goalspec import _core, _html
from goalspec._diagnostics import Diagnostic

Path = str | os.PathLike[str]


def _load_options(
    world: str | None, domain: Path | None, dialect: str | None, knowledge: Path | None, results: Iterable[str]
) -> dict[str, Any]:
    if isinstance(results, str):
        raise TypeError(f"expected a list of results, found the text {results!r}")
    return {
        "results": tuple(results),
        "world": world,
        "domain": None if domain is None else os.fspath(domain),
        "dialect": dialect,
        "knowledge": None if knowledge is None else os.fspath(knowledge),
    }


class Program:
    """One program of a library. It is immutable, and pickled as the texts and the options of its library.

    >>> import goalspec
    >>> program = goalspec.load("@throw-to-bin")[0]
    >>> program.language, program.world, program.preferences[0]
    ('game', 'few-objects-room-v1', 'throwToBin')
    """

    def __init__(
        self, core: _core.Library, index: int, record: Mapping[str, Any], options: Mapping[str, Any]
    ) -> None:
        self._core = core
        self._index = index
        self._options = dict(options)
        self.name: str = record["name"]
        """The name of its text, followed by its own name if the text has several programs: ``games.pddl#throwing``."""
        self.language: str = record["language"]
        """``"game"``, ``"bddl"``, ``"pddl"``, ``"rgg"`` or ``"reward"``."""
        self.text: str = record["text"]
        """The text that contains it."""
        self.world: str | None = record["world"]
        """The name of its world; ``None`` if the world is unknown."""
        self.preferences: tuple[str, ...] = tuple(record["preferences"])
        """The names of the preferences of a game; empty for programs of other languages."""

    @property
    def kind(self) -> str:
        """What the program is: ``"game"``, ``"activity"``, ``"problem"``, ``"resource game"`` or ``"reward function"``."""
        return {
            "game": "game",
            "bddl": "activity",
            "pddl": "problem",
            "rgg": "resource game",
            "reward": "reward function",
        }[self.language]

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics in the text of the program."""
        return self._core.program_diagnostics(self._index)

    def describe(self) -> str | None:
        """Return the program in words; ``None`` if errors prevent a description.

        >>> import goalspec
        >>> print(goalspec.describe(goalspec.load("@throw-to-bin")).splitlines()[0])
        Game throw-to-bin in few-objects-room-v1
        """
        return self._core.describe(self._index)

    def cost(self) -> str | None:
        """Return the memory that monitoring the program requires, as text; ``None`` for programs that are not monitored."""
        return self._core.cost(self._index)

    def __repr__(self) -> str:
        return f"<goalspec.Program {self.name!r} ({self.kind})>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _program_from_texts, (self._core.texts(), self._options, self._index)

    def __deepcopy__(self, memo: dict[int, Any]) -> Program:
        return self

    def _repr_html_(self) -> str:
        return _html.preformatted(self.text)


class Library:
    """Sources, worlds and checked programs.

    A library with errors can be inspected: they are in ``diagnostics``, and the other programs work. It is pickled as its texts and
    options, without the traces among its paths; a process compiles equal libraries once.

    >>> import goalspec
    >>> library = goalspec.load("@throw-to-bin")
    >>> len(library), library[0].name in repr(library[0])
    (1, True)
    """

    def __init__(
        self,
        *,
        world: str | None = None,
        domain: Path | None = None,
        dialect: str | None = None,
        knowledge: Path | None = None,
        results: Iterable[str] = (),
        strict: bool = True,
    ) -> None:
        self._options = _load_options(world, domain, dialect, knowledge, results)
        self._strict = strict
        self._core = _core.load_texts([], self._options)

    @classmethod
    def _of(cls, core: _core.Library, options: dict[str, Any], strict: bool = False) -> Library:
        library = cls.__new__(cls)
        library._core = core
        library._options = options
        library._strict = strict
        return library

    def add(self, text: str, *, name: str = "<text>") -> Library:
        """Add the programs of a text, checked against what was added before. ``name`` stands for a file name: its extension helps to
        detect the language. Return the library.

        Raises:
            CheckError: If the library is strict and the text has errors; the library is then unchanged.
        """
        return self._replaced(self._core.with_program(name, text))

    def add_world(self, text: str, *, name: str, files: Mapping[str, str] | None = None) -> Library:
        """Add a world. A world that it extends is built in or one of ``files``, texts by name; no file is read. Return the library.

        Raises:
            CheckError: If the library is strict and the world has errors; the library is then unchanged.
        """
        return self._replaced(self._core.with_world(name, text, list((files or {}).items())))

    def _replaced(self, core: _core.Library) -> Library:
        if self._strict:
            core.raise_errors()
        self._core = core
        return self

    @property
    def programs(self) -> list[Program]:
        """The programs, in the order in which they were added."""
        return [Program(self._core, index, record, self._options) for index, record in enumerate(self._core.programs())]

    @property
    def worlds(self) -> list[str]:
        """The names of the worlds that were added or loaded from files."""
        return self._core.worlds()

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics found while loading."""
        return self._core.diagnostics()

    def __getitem__(self, key: int | str) -> Program:
        """Return a program by its index or its name.

        Raises ``KeyError`` with the names if there is none of this name.
        """
        programs = self.programs
        if isinstance(key, int):
            return programs[key]
        for program in programs:
            if program.name == key:
                return program
        names = ", ".join(f"`{program.name}`" for program in programs) or "none"
        raise KeyError(f"unknown program `{key}`; the programs are {names}")

    def __len__(self) -> int:
        return len(self._core.programs())

    def __iter__(self) -> Iterator[Program]:
        return iter(self.programs)

    def __repr__(self) -> str:
        return f"<goalspec.Library with {len(self)} programs>"

    def _repr_html_(self) -> str:
        rows = ((program.name, program.kind, program.world) for program in self.programs)
        return _html.table(("program", "kind", "world"), rows)

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_texts, (self._core.texts(), self._options, self._strict)


_MAX_KEPT = 32


_kept: dict[tuple[Any, ...], _core.Library] = {}


def compiled(
    texts: tuple[tuple[str, str], ...], options: tuple[tuple[str, Any], ...], known: _core.Library | None = None
) -> _core.Library:
    """Return the library of these texts, which is compiled once; ``known`` is such a library if there is one already."""
    core = _kept.pop((texts, options), known)
    if core is None:
        core = _core.load_texts(texts, dict(options))
    if len(_kept) >= _MAX_KEPT:
        _kept.pop(next(iter(_kept)), None)
    _kept[texts, options] = core
    return core


def _from_texts(texts: Iterable[tuple[str, str]], options: Mapping[str, Any], strict: bool = False) -> Library:
    core = compiled(tuple((name, text) for name, text in texts), tuple(options.items()))
    return Library._of(core, dict(options), strict)


def _program_from_texts(texts: Iterable[tuple[str, str]], options: Mapping[str, Any], index: int) -> Program:
    return _from_texts(texts, options).programs[index]


def _checked(library: Library) -> Library:
    if library._strict:
        library._core.raise_errors()
    return library


def load(
    *paths: Path,
    world: str | None = None,
    domain: Path | None = None,
    dialect: str | None = None,
    knowledge: Path | None = None,
    results: Iterable[str] = (),
    strict: bool = True,
) -> Library:
    """Load programs and worlds from files, folders, patterns such as ``games/*.game`` and bundled examples such as ``@throw-to-bin``.

    Args:
        paths: The paths; traces among them are kept for ``check`` and ``score``.
        world: The name or file of the world for reward functions.
        domain: The file of the domain of all planning problems; otherwise that which each problem names, also in its folder.
        dialect: The dialect of activities (``strict``, ``libero``, ``compat-1.0``, ``compat-3.6``), of resource graph games
            (``documented``, ``cage``), or of games (``empty-holds``: a ``hold`` may be empty).
        knowledge: The folder of the knowledge base for activities, or the version of a fetched release.
        results: The custom results that resource graph games may name, each as ``"NAME"``, or as ``"NAME=URL"`` with the service that computes it.
        strict: Whether errors raise an exception; otherwise they are only in ``Library.diagnostics``.

    Raises:
        CheckError: If ``strict`` and a program or world has errors, or a path cannot be read.

    >>> import goalspec
    >>> [program.kind for program in goalspec.load("@throw-to-bin")]
    ['game']
    """
    options = _load_options(world, domain, dialect, knowledge, results)
    return _checked(Library._of(_core.load([os.fspath(path) for path in paths], options), options, strict))


def loads(
    text: str,
    *,
    name: str = "<text>",
    files: Mapping[str, str] | None = None,
    world: str | None = None,
    domain: str | None = None,
    dialect: str | None = None,
    knowledge: Path | None = None,
    results: Iterable[str] = (),
    strict: bool = True,
) -> Library:
    """Load the programs of a text. No file is read: what a world extends, or a domain that a problem names, is given in ``files``.

    Args:
        text: The text of one or more programs, or of a world if ``name`` ends in ``.world.toml``.
        name: The name that stands for a file name; its extension helps to detect the language.
        files: Further texts by name.
        world, domain, dialect, knowledge, results, strict: As in ``load``; ``world`` and ``domain`` may be names of ``files``.

    Raises:
        CheckError: If ``strict`` and a program or world has errors.

    >>> import goalspec
    >>> goalspec.loads("from ocatari.ram.pong import Ball\\ndef reward_function(objects):\\n    return 1\\n", name="one.py")[0].kind
    'reward function'
    """
    options = _load_options(world, domain, dialect, knowledge, results)
    texts = [*(files or {}).items(), (name, text)]
    return _checked(Library._of(_core.load_texts(texts, options), options, strict))


def check(
    *paths_or_library: Path | Library, traces: Iterable[Path] = (), deny: str = "error"
) -> list[Diagnostic]:
    """Check programs, worlds and traces, and return what is wrong with them. This never raises because of a program.

    Args:
        paths_or_library: Paths as in ``load``, or libraries.
        traces: Further traces to be read with the worlds of the programs.
        deny: The least severity, ``"error"``, ``"warning"`` or ``"note"``, of the diagnostics that are returned as errors.

    >>> import goalspec
    >>> library = goalspec.loads("(define (game", name="bad.game", strict=False)
    >>> [found.code for found in goalspec.check(library) if found.is_error][0]
    'syntax/unclosed-list'
    """
    libraries = [given for given in paths_or_library if isinstance(given, Library)]
    paths = [given for given in paths_or_library if not isinstance(given, Library)]
    if paths:
        libraries.append(load(*paths, strict=False))
    further = [os.fspath(path) for path in traces]
    return [diagnostic for library in libraries for diagnostic in library._core.check(further, deny)]


def playability(
    *paths_or_library: Path | Library,
    traces: Iterable[Path] = (),
    plan_time: float | None = None,
    simulations: int | None = None,
) -> list[dict[str, Any]]:
    """Judge whether the parts of programs can be achieved, as ``goalspec check --playable``.

    Args:
        paths_or_library: Paths as in ``load``, or libraries. Traces among the paths are recorded plays.
        traces: Further recorded plays.
        plan_time: The time limit of each search for a plan, in seconds; by default 10.
        simulations: The number of simulated games of each resource graph game; by default 100.

    Returns:
        For each program but reward functions, its ``program`` name, ``possibility`` (``"possible"``, ``"impossible"`` or ``"not shown"``) and
        ``parts``. A part has a ``possibility`` too, and a ``witness`` if it is possible, a ``proof`` if it is not, or ``reasons``.

    Raises:
        CheckError: If a program has errors, or a trace cannot be opened.
        ValueError: If an argument is invalid.

    >>> import goalspec
    >>> goalspec.playability("@throw-to-bin")[0]["possibility"]
    'not shown'
    """
    libraries = [given for given in paths_or_library if isinstance(given, Library)]
    paths = [given for given in paths_or_library if not isinstance(given, Library)]
    if paths:
        libraries.append(load(*paths))
    further = [os.fspath(path) for path in traces]
    options = {"plan_time": plan_time, "simulations": simulations}
    return [judged for library in libraries for judged in _core.playability(library._core, further, options)]


def describe(program: Program | Library) -> str:
    """Return a program, or all programs of a library, in words."""
    programs = [program] if isinstance(program, Program) else program.programs
    texts = (one.describe() for one in programs)
    return "\n\n".join(text.rstrip() for text in texts if text is not None)


def format(text: str, name: str = "<text>") -> str:
    """Return the canonical layout of a text, with its comments. The extension of ``name`` helps to detect the language.

    Raises:
        CheckError: If the text has syntax errors, or is a plan or Python, which have no formatter.

    >>> import goalspec
    >>> print(goalspec.format("(define  (domain d))", "d.pddl"), end="")
    (define (domain d)
    )
    """
    return _core.format(text, name)


def explain(code: str) -> str:
    """Return the documentation of a diagnostic code such as ``"game/unbound-variable"``.

    Raises:
        KeyError: If there is no such code; the message suggests the nearest one.

    >>> import goalspec
    >>> "unbound" in goalspec.explain("game/unbound-variable")
    True
    """
    return _core.explain(code)
