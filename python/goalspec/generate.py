"""New games: drawn in the proportions of a corpus, varied, judged and evolved, and fitted fitness models.

A corpus consists of games that people wrote: programs of a library, a library, or paths. A seed and an index determine each game, on any number
of threads and for ``goalspec generate`` on the command line, too. New games are programs: they score traces, and are rewards at once.

>>> import goalspec
>>> from goalspec import generate
>>> game = next(generate.sample(["@tower", "@throw-to-bin"], seed=7))
>>> game.name, game.language, game.world
('sample-7-0', 'game', 'few-objects-room-v1')
>>> monitor = goalspec.Monitor(game)
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, cast, overload

from goalspec import _core, _html
from goalspec._library import Library, Path, Program, _load_options, load
from goalspec._progress import observer

__all__ = ["Archive", "FittedModel", "Fitness", "GeneratedGame", "evolve", "fit", "fitness", "sample", "vary"]

Games = Program | Library | Path | Iterable[Program] | Iterable[Path]

_FIRST_CHUNK, _LARGEST_CHUNK = 1, 64

_LARGEST_INDEX = 2**64 - 1

_MAX_MISSING = 32
"""The number of games in a row that are not found before a series ends with an exception."""


class GeneratedGame(Program):
    """A new game. It is a program like one that was loaded, with the record of its origin."""

    def __init__(self, core: _core.Library, options: Mapping[str, Any], record: Mapping[str, Any]) -> None:
        (program,) = core.programs()
        super().__init__(core, 0, program, options)
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
        """The name of the game that was varied."""
        return self.record.get("parent")

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

    def __reduce__(self) -> tuple[Any, ...]:
        return _game_of_texts, (self._core.texts(), self._options, self.record)


def _game_of_texts(
    texts: Sequence[tuple[str, str]], options: Mapping[str, Any], record: Mapping[str, Any]
) -> GeneratedGame:
    return GeneratedGame(_core.load_texts(texts, dict(options)), options, record)


class _Generation:
    """A generator with the texts of the worlds that its games need."""

    def __init__(
        self, corpus: Games, games: Games, world: Path | None, model: Any, options: Mapping[str, Any]
    ) -> None:
        examples, given = _selected(corpus), _selected(games)
        self.count = len(given[1])
        libraries = [library._core for library, _ in (examples, given)]
        found = _world(world, libraries)
        self.core = _core.Generation(
            (libraries[0], examples[1]), (libraries[1], given[1]), found, dict(options), _model_text(model)
        )
        for name, reason in self.core.left_out():
            warnings.warn(f"`{name}` is left out of the corpus: {reason}", stacklevel=4)
        self._worlds = [
            text for core in libraries for text in core.texts() if text[0].endswith(".world.toml")
        ]
        if world is not None and os.path.isfile(world):
            self._worlds += [text for text in load(world)._core.texts() if text not in self._worlds]

    def game(self, text: str, record: Mapping[str, Any]) -> GeneratedGame:
        options = _load_options(None, None, None, None, ())
        texts = [*dict(self._worlds).items(), (f"{record['name']}.game", text)]
        return _game_of_texts(texts, options, {key: value for key, value in record.items() if key not in ("program", "text")})


def _selected(games: Games) -> tuple[Library, list[int]]:
    """Return a library and the indices of its games, or of the given programs."""
    if isinstance(games, str | os.PathLike):
        games = [games]
    if isinstance(games, Program):
        games = [games]
    if not isinstance(games, Library):
        items = list(cast(Iterable[Any], games))
        if all(isinstance(item, str | os.PathLike) for item in items):
            games = load(*items, strict=False) if items else Library()
        elif all(isinstance(item, Program) for item in items):
            if any(item._core is not items[0]._core for item in items):
                raise ValueError("the programs are of different libraries: load them together")
            return Library._of(items[0]._core, items[0]._options), [item._index for item in items]
        else:
            names = ", ".join(sorted({type(item).__name__ for item in items}))
            raise TypeError(f"expected games, a library or paths, found objects of the types {names}")
    return games, [index for index, program in enumerate(games) if program.language == "game"]


def _world(world: Path | None, libraries: Iterable[_core.Library]) -> _core.World | None:
    """Return the world with a name or of a file."""
    if world is None:
        return None
    if os.path.isfile(world):
        return load(world)._core.program_worlds()[0]
    name = os.fspath(world)
    known = [found for core in libraries for found in core.program_worlds()]
    built_in = _core.built_in_world(name)
    for found in [*known, *([] if built_in is None else [built_in])]:
        if found.name == name:
            return found
    raise ValueError(f"there is no world `{name}`, neither as a file nor among the worlds of the games and the built-in ones")


def _model_text(model: Any) -> str | None:
    """Return a fitness model as JSON text."""
    if model is None:
        return None
    if isinstance(model, FittedModel):
        model = model.model
    return json.dumps(model) if isinstance(model, Mapping) else FilePath(model).read_text(encoding="utf-8")


def _generator_options(
    prior: float | None, context: int | None, depth: int | None, nodes: int | None
) -> dict[str, Any]:
    return {"prior": prior, "context": context, "depth": depth, "nodes": nodes}


_Chunk = tuple[list[tuple[str, dict[str, Any]] | None], str]


def _series(
    generation: _Generation, makers: Sequence[Callable[[tuple[int, int]], _Chunk]], n: int | None, first: int
) -> Iterator[GeneratedGame]:
    """Return ``n`` games of each maker in turn, without end if ``n`` is ``None``. Indices for which there is no game are left out."""
    if n is not None and n < 0:
        raise ValueError(f"n={n}: expected at least 0")
    return _yielded(generation, makers, n, first)


def _yielded(
    generation: _Generation, makers: Sequence[Callable[[tuple[int, int]], _Chunk]], n: int | None, first: int
) -> Iterator[GeneratedGame]:
    found, missing, size = [0] * len(makers), [0] * len(makers), _FIRST_CHUNK
    start = first
    while n is None or min(found) < n:
        if not 0 <= start <= _LARGEST_INDEX:
            raise ValueError(f"index {start}: expected a number from 0 to {_LARGEST_INDEX}")
        chunks = [make((start, size)) for make in makers]
        for place in range(size):
            for maker, (games, reason) in enumerate(chunks):
                if n is not None and found[maker] >= n:
                    continue
                made = games[place]
                if made is None:
                    missing[maker] += 1
                    if missing[maker] >= _MAX_MISSING:
                        raise ValueError(f"{_MAX_MISSING} games in a row were not found: {reason}")
                    continue
                found[maker] += 1
                missing[maker] = 0
                yield generation.game(*made)
        start += size
        size = min(2 * size, _LARGEST_CHUNK)


def sample(
    corpus: Games = (),
    n: int | None = None,
    *,
    like: Games | None = None,
    world: Path | None = None,
    seed: int = 0,
    first: int = 0,
    model: FittedModel | Mapping[str, Any] | Path | None = None,
    preset: str | None = None,
    prior: float | None = None,
    context: int | None = None,
    depth: int | None = None,
    nodes: int | None = None,
) -> Iterator[GeneratedGame]:
    """Draw new games, as ``goalspec generate sample``.

    Args:
        corpus: The games whose proportions the new ones have. Without games, all alternatives of the grammar have the same weight.
        n: The number of games, or of games like each of ``like``; ``None`` for a stream without end.
        like: Games whose sections, sizes and cells the new ones have, for matched sets. Without a corpus, they are the corpus.
        world: The world of the new games, by name or file; by default that of the corpus.
        seed, first: The seed of the series, and the index of its first game.
        model: A fitness model by which the games are judged: that of ``fit``, its JSON value, or the path of a file.
        preset: ``"davidson"`` draws the untyped samples of the published program, many of which have errors.
        prior, context, depth, nodes: As the options of the command line with these names.

    Raises:
        CheckError: If a game of the corpus has errors; with ``preset``, also if a new game has errors.
        ValueError: If there is nothing to draw, 32 games in a row are not found, or an argument is invalid.

    >>> from goalspec import generate
    >>> [game.name for game in generate.sample(["@tower", "@throw-to-bin"], 3)]
    ['sample-0-0', 'sample-0-1', 'sample-0-2']
    """
    if preset not in (None, "davidson"):
        raise ValueError(f"unknown preset `{preset}`: expected `davidson`")
    if preset is not None and like is not None:
        raise ValueError("`preset` and `like` exclude each other")
    options = _generator_options(prior, context, depth, nodes)
    generation = _Generation(corpus, () if like is None else like, world, model, options)
    core = generation.core
    if like is None:
        makers: list[Callable[[tuple[int, int]], _Chunk]] = [
            lambda indices: core.sample(seed, indices, preset is not None)
        ]
    else:
        makers = [
            lambda indices, place=place: core.sample_like(place, seed, indices)  # type: ignore[misc]
            for place in range(generation.count)
        ]
        if not makers:
            raise ValueError("`like` contains no game")
    return _series(generation, makers, n, first)


def vary(
    games: Games,
    n: int | None = None,
    *,
    corpus: Games = (),
    operators: Iterable[str] = (),
    size: str | None = None,
    world: Path | None = None,
    seed: int = 0,
    first: int = 0,
    model: FittedModel | Mapping[str, Any] | Path | None = None,
    prior: float | None = None,
    context: int | None = None,
    depth: int | None = None,
    nodes: int | None = None,
) -> Iterator[GeneratedGame]:
    """Vary games by operators, as ``goalspec generate vary``.

    Args:
        games: The games.
        n: The number of variations of each game; ``None`` for a stream without end, in which the games take turns.
        corpus: The games whose proportions new parts have; by default the games themselves.
        operators: The names of the operators; all of them by default.
        size: ``"smaller"`` or ``"larger"`` for variations with fewer or more nodes than their parents.
        world, seed, first, model, prior, context, depth, nodes: As in ``sample``.

    Raises:
        CheckError: If a game has errors.
        ValueError: If an argument is invalid, or 32 variations in a row are not found.

    >>> from goalspec import generate
    >>> [game.parent for game in generate.vary("@tower", 2, size="smaller")]
    ['@tower/tower.game', '@tower/tower.game']
    """
    if isinstance(operators, str):
        raise TypeError(f"expected a list of operators, found the text {operators!r}")
    generation = _Generation(corpus, games, world, model, _generator_options(prior, context, depth, nodes))
    if not generation.count:
        raise ValueError("there is no game to vary")
    core, names = generation.core, list(operators)
    makers = [
        lambda indices, place=place: core.vary(place, names, size, seed, indices)
        for place in range(generation.count)
    ]
    return _series(generation, cast(Any, makers), n, first)


class Fitness(Sequence[Mapping[str, Any]]):
    """The fitness of games: a sequence of records with ``name``, ``fitness``, ``cell``, ``nodes``, ``features``, and ``held_out_fitness`` for
    games of the corpus, which is their fitness with n-grams that do not count them."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document

    @property
    def world(self) -> str:
        """The name of the world."""
        return cast(str, self._document["world"])

    @property
    def corpus(self) -> dict[str, float] | None:
        """The least, mean and greatest fitness of the corpus; ``None`` without a corpus."""
        corpus = self._document["corpus"]
        return None if corpus is None else dict(corpus)

    def to_dict(self) -> dict[str, Any]:
        """Return the document that ``goalspec generate fitness --explain --format json`` prints about the world."""
        return dict(self._document)

    def __len__(self) -> int:
        return len(self._document["games"])

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self._document["games"][index]

    def __repr__(self) -> str:
        return f"<goalspec.generate.Fitness of {len(self)} games>"

    def _repr_html_(self) -> str:
        rows = ((game["name"], f"{game['fitness']:.2f}", game["nodes"]) for game in self)
        return _html.table(("game", "fitness", "nodes"), rows)


def fitness(
    games: Games,
    *,
    corpus: Games = (),
    model: FittedModel | Mapping[str, Any] | Path | None = None,
    world: Path | None = None,
) -> Fitness:
    """Judge how much games resemble those of a corpus, as ``goalspec generate fitness``.

    Args:
        games: The games, all of one world unless it is given.
        corpus: The games that people wrote; by default the games themselves.
        model: The fitness model; by default resemblance to the corpus, minus mistakes.
        world: The world, by name or file; by default that of the games.

    Raises:
        CheckError: If a game has errors.
        ValueError: If the games are of several worlds, or the model is invalid.

    >>> from goalspec import generate
    >>> judged = generate.fitness("@tower", corpus=["@tower", "@throw-to-bin"])
    >>> judged[0]["name"], judged[0]["nodes"] > 10
    ('@tower/tower.game', True)
    """
    return Fitness(_Generation(corpus, games, world, model, _generator_options(None, None, None, None)).core.fitness())


class FittedModel:
    """A fitted fitness model with its evaluation on games that were held out."""

    def __init__(self, model: dict[str, Any], report: dict[str, Any]) -> None:
        self.model = model
        """The model in the format of the published models."""
        self.report = report
        """The evaluation: how well the model tells games from regrowths of them."""

    def save(self, path: Path) -> None:
        """Write the model to a file, which ``model=`` and ``--model`` read."""
        FilePath(path).write_text(json.dumps(self.model, indent=2) + "\n", encoding="utf-8")

    def __repr__(self) -> str:
        return f"<goalspec.generate.FittedModel of {self.report['games']} games, AUC {self.report['held_out']['auc']:.3f}>"


def fit(
    corpus: Games,
    *,
    world: Path | None = None,
    seed: int = 0,
    regrowths: int | None = None,
    folds: int | None = None,
    penalty: float | None = None,
    jobs: int | None = None,
) -> FittedModel:
    """Fit a fitness model to games, as ``goalspec generate fit``: it tells them from regrowths, the same games with a part drawn anew.

    Args:
        corpus: The games, at least two.
        world: The world, by name or file; by default that of the games.
        seed: The seed of the regrowths.
        regrowths: The number of regrowths of each game, by default 1,024.
        folds: The number of folds of the evaluation on held-out games, by default 5.
        penalty: The factor of half the sum of the squared weights, by default 0.003.
        jobs: The number of threads; by default one for each processor.

    Raises:
        CheckError: If a game has errors.
        ValueError: If there are too few games, or an argument is invalid.

    >>> from goalspec import generate
    >>> fitted = generate.fit(["@tower", "@throw-to-bin"], regrowths=8, folds=2)
    >>> fitted.report["games"]
    2
    """
    options = {"seed": seed, "regrowths": regrowths, "folds": folds, "penalty": penalty, "jobs": jobs}
    generation = _Generation(corpus, (), world, None, _generator_options(None, None, None, None))
    return FittedModel(*generation.core.fit(options))


class Archive(Sequence[GeneratedGame]):
    """The best game of each cell, in the order of the cells."""

    def __init__(self, document: Mapping[str, Any], games: Sequence[GeneratedGame]) -> None:
        self._games = games
        self.generation: int = document["generation"]
        """The number of generations so far."""
        self.clean_cells: int = document["clean_cells"]
        """The number of cells whose games have no mistake."""
        self.mean_fitness: float | None = document["mean_fitness"]
        """The mean fitness of the games without a mistake."""
        self.best_fitness: float | None = document["best_fitness"]
        """The greatest fitness of the games without a mistake."""

    def __len__(self) -> int:
        return len(self._games)

    @overload
    def __getitem__(self, index: int) -> GeneratedGame: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[GeneratedGame]: ...
    def __getitem__(self, index: int | slice) -> GeneratedGame | Sequence[GeneratedGame]:
        return self._games[index]

    def __repr__(self) -> str:
        return f"<goalspec.generate.Archive of {len(self)} games after {self.generation} generations>"

    def _repr_html_(self) -> str:
        return _html.table(("game", "fitness", "nodes"), ((game.name, game.fitness, game.nodes) for game in self))


def evolve(
    corpus: Games,
    generations: int = 100,
    *,
    folder: Path | None = None,
    archive: str | Path | None = None,
    model: FittedModel | Mapping[str, Any] | Path | None = None,
    world: Path | None = None,
    seed: int = 0,
    initial: int | None = None,
    pairs: int | None = None,
    jobs: int | None = None,
    progress: bool | Callable[[int, int], object] | None = None,
    prior: float | None = None,
    context: int | None = None,
    depth: int | None = None,
    nodes: int | None = None,
) -> Archive:
    """Evolve an archive of games that differ in the characteristics of its cells, as ``goalspec generate evolve``.

    Args:
        corpus: The games that people wrote.
        generations: The number of generations.
        folder: A folder in which the archive is saved, also if the call is interrupted; a saved evolution with the same settings continues.
        archive: The file with the specification of the cells, in TOML; by default the published one.
        model: The fitness model; by default resemblance to the corpus, minus mistakes.
        world: The world, by name or file; by default that of the corpus.
        seed: The seed of all decisions.
        initial: The number of games drawn in the first generation, by default 1,024.
        pairs: The number of pairs in each further generation, by default 375.
        jobs: The number of threads; by default one for each processor. The result does not depend on it.
        progress: A function that is called with the numbers of finished and of all generations, or ``True`` for a progress bar.
        prior, context, depth, nodes: As in ``sample``.

    Raises:
        CheckError: If a game of the corpus has errors.
        ValueError: If an argument is invalid, or the folder has an archive with other settings.

    >>> from goalspec import generate
    >>> archive = generate.evolve(["@tower", "@throw-to-bin"], 2, initial=16, pairs=4)
    >>> archive.generation, len(archive) > 0
    (2, True)
    """
    if generations < 1:
        raise ValueError(f"generations={generations}: expected at least 1")
    options = _generator_options(prior, context, depth, nodes)
    generation = _Generation(corpus, (), world, model, options)
    arguments = {
        "generations": generations,
        "initial": initial,
        "pairs": pairs,
        "seed": seed,
        "folder": None if folder is None else os.fspath(folder),
        "archive": None if archive is None else FilePath(archive).read_text(encoding="utf-8"),
        "jobs": jobs,
    }
    with observer(progress) as report:
        document = generation.core.evolve(arguments, report)
    games = [generation.game(record["text"], record) for record in document["games"]]
    return Archive(document, games)
