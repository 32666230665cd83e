"""New games: drawn in the proportions of a corpus, varied, judged and evolved, and fitted fitness models. Also new planning problems,
household activities and resource graph games.

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

from goalspec import _html
from goalspec._errors import CheckError
from goalspec._generated import Games, GeneratedGame, GeneratedGoal, _Examples, _Generation, _listed, _other_examples
from goalspec._library import Library, Path
from goalspec._progress import observer
from goalspec._series import _LARGEST_INDEX, _LARGEST_SIZE, _Maker, _different, _series, _unsigned

__all__ = ["Archive", "FittedModel", "Fitness", "GeneratedGame", "GeneratedGoal", "evolve", "fit", "fitness", "sample", "vary"]

_MAX_JOBS = 1024


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
    return {
        "prior": prior,
        "context": _unsigned("context", context, 2),
        "depth": _unsigned("depth", depth, _LARGEST_SIZE, 1),
        "nodes": _unsigned("nodes", nodes, _LARGEST_SIZE, 1),
    }


def _check_preset(preset: str | None) -> None:
    if preset not in (None, "davidson"):
        raise ValueError(f"unknown preset `{preset}`: expected `davidson`")


def _refuse(language: str, given: Mapping[str, object]) -> None:
    """Refuse arguments that only games have."""
    for name, value in given.items():
        if value is not None and value != ():
            raise ValueError(f"`{name}` applies to games, not to {language}")


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
    steps: int | None = None,
) -> Iterator[GeneratedGame]:
    """Draw new games, as ``goalspec generate sample``, or make goals like other examples.

    Args:
        corpus: The games whose proportions the new ones have. Without games, all alternatives of the grammar have the same weight. If the examples are
            planning problems, household activities or resource graph games, the new goals, each a ``GeneratedGoal``, are in their language, and
            ``n``, ``seed``, ``first`` and ``steps`` apply.
        n: The number of games, or of games like each of ``like``; ``None`` for a stream without end.
        like: Games whose sections, sizes and cells the new ones have, for matched sets. Without a corpus, they are the corpus.
        world: The world of the new games, by name or file; by default that of the corpus.
        seed, first: The seed of the series, and the index of its first game.
        model: A fitness model by which the games are judged: that of ``fit``, its JSON value, or the path of a file.
        preset: ``"davidson"`` draws the untyped samples of the published program, many of which have errors.
        prior, context, depth, nodes: As the options of the command line with these names.
        steps: The maximum number of steps of the walk to the goal of a new planning problem.

    Raises:
        CheckError: If a file is missing or a game of the corpus has errors.
        ValueError: If there is nothing to draw, 32 games in a row are not found, or an argument is invalid.

    >>> from goalspec import generate
    >>> [game.name for game in generate.sample(["@tower", "@throw-to-bin"], 3)]
    ['sample-0-0', 'sample-0-1', 'sample-0-2']
    """
    corpus = _listed(corpus)
    other = None if like is not None else _other_examples(corpus)
    if other is not None:
        given = {"world": world, "model": model, "preset": preset, "prior": prior, "context": context, "depth": depth, "nodes": nodes}
        return _goals(other, given, n, (seed, first), steps)
    _refuse_steps(steps)
    _check_preset(preset)
    if preset is not None and like is not None:
        raise ValueError("`preset` and `like` exclude each other")
    options = _generator_options(prior, context, depth, nodes)
    generation = _Generation(corpus, () if like is None else like, world, _model_text(model), options)
    core = generation.core
    number = cast(int, _unsigned("seed", seed, _LARGEST_INDEX))
    if like is None:
        return _series(generation, [("sample", lambda indices: core.sample(number, indices, preset is not None))], n, first)
    if not generation.names:
        raise ValueError("`like` contains no game")

    def imitate(place: int) -> _Maker:
        return lambda indices: core.sample_like(place, number, indices)

    return _series(generation, [(name, imitate(place)) for place, name in enumerate(generation.names)], n, first)


def _refuse_steps(steps: int | None) -> None:
    if steps is not None:
        raise ValueError("`steps` applies to planning problems")


def _goals(
    library: Library, given: Mapping[str, object], n: int | None, origin: tuple[int, int], steps: int | None
) -> Iterator[Any]:
    """Return new goals like the examples of a library."""
    examples = _Examples(library, _unsigned("steps", steps, _LARGEST_SIZE, 1), False)
    _refuse(examples.core.language(), given)
    number = cast(int, _unsigned("seed", origin[0], _LARGEST_INDEX))
    return _series(examples, [("sample", lambda indices: examples.core.sample(number, indices))], n, origin[1])


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
    preset: str | None = None,
    prior: float | None = None,
    context: int | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    steps: int | None = None,
) -> Iterator[GeneratedGame]:
    """Vary games by operators, as ``goalspec generate vary``, or other goals.

    Args:
        games: The games. If they are planning problems, household activities or resource graph games, the variations are each a
            ``GeneratedGoal``, and ``n``, ``size``, ``seed``, ``first`` and ``steps`` apply.
        n: The number of variations of each game; ``None`` for a stream without end. The games take turns, other than on the command line, and
            variations of two games of the same name have the same names.
        corpus: The games whose proportions new parts have; by default the games themselves.
        operators: The names of the operators; all of them by default.
        size: ``"smaller"`` or ``"larger"`` for variations with fewer or more nodes than their parents.
        preset: ``"davidson"`` draws a part anew as the published program does; many of these games have errors. Results that equal the game or
            an earlier one are left out.
        world, seed, first, model, prior, context, depth, nodes, steps: As in ``sample``.

    Raises:
        CheckError: If a game has errors.
        ValueError: If an argument is invalid, or 32 variations in a row are not found.

    >>> from goalspec import generate
    >>> [game.parent for game in generate.vary("@tower", 2, size="smaller")]
    ['@tower/tower.game', '@tower/tower.game']
    """
    if isinstance(operators, str):
        raise TypeError(f"expected a list of operators, found the text {operators!r}")
    names = list(operators)
    games = _listed(games)
    other = _other_examples(games)
    if other is not None:
        given: dict[str, object] = {"corpus": None if corpus == () else corpus, "operators": tuple(names)}
        given |= {"world": world, "preset": preset, "model": model, "prior": prior, "context": context, "depth": depth, "nodes": nodes}
        return _varied_goals(other, given, (n, size), (seed, first), steps)
    _refuse_steps(steps)
    _check_preset(preset)
    if preset is not None and (names or size is not None):
        raise ValueError("`preset` excludes `operators` and `size`")
    generation = _Generation(corpus, games, world, _model_text(model), _generator_options(prior, context, depth, nodes))
    if not generation.names:
        raise ValueError("there is no game to vary")
    core = generation.core
    number = cast(int, _unsigned("seed", seed, _LARGEST_INDEX))

    def change(place: int) -> _Maker:
        if preset is not None:
            return _different(lambda indices: core.regrow(place, number, indices))
        return lambda indices: core.vary(place, names, size, number, indices)

    return _series(generation, [(name, change(place)) for place, name in enumerate(generation.names)], n, first)


def _varied_goals(
    library: Library,
    given: Mapping[str, object],
    wanted: tuple[int | None, str | None],
    origin: tuple[int, int],
    steps: int | None,
) -> Iterator[Any]:
    """Return variations of the examples of a library."""
    n, size = wanted
    examples = _Examples(library, _unsigned("steps", steps, _LARGEST_SIZE, 1), True)
    _refuse(examples.core.language(), given)
    number = cast(int, _unsigned("seed", origin[0], _LARGEST_INDEX))

    def change(place: int) -> _Maker:
        return lambda indices: examples.core.vary(place, size, number, indices)

    return _series(examples, [(f"example {place}", change(place)) for place in range(examples.core.count())], n, origin[1])


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
        """The ``min``, ``mean`` and ``max`` of the fitness of the corpus; ``None`` without a corpus."""
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
    return Fitness(_Generation(corpus, games, world, _model_text(model), _generator_options(None, None, None, None)).core.fitness())


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
    negatives: str | None = None,
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
        negatives: ``"typed"``, the default, for regrowths that check without an error, or ``"davidson"`` for those of the published program.
        regrowths: The number of regrowths of each game, by default 1,024.
        folds: The number of folds of the evaluation on held-out games, by default 5.
        penalty: The factor of half the sum of the squared weights, by default 0.003.
        jobs: The number of threads; by default one for each processor. The threads of an interrupted call end when the fit does.

    Raises:
        CheckError: If a game has errors.
        ValueError: If there are too few games, or an argument is invalid.

    >>> from goalspec import generate
    >>> fitted = generate.fit(["@tower", "@throw-to-bin"], regrowths=8, folds=2)
    >>> fitted.report["games"]
    2
    """
    options = {
        "seed": _unsigned("seed", seed, _LARGEST_INDEX),
        "negatives": negatives,
        "regrowths": _unsigned("regrowths", regrowths, _LARGEST_SIZE, 1),
        "folds": _unsigned("folds", folds, _LARGEST_SIZE, 2),
        "penalty": penalty,
        "jobs": _unsigned("jobs", jobs, _MAX_JOBS, 1),
    }
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
        folder: A folder in which the archive is saved; a saved evolution with the same settings continues. An interrupted call ends with its
            current generation and saves the archive, for which it waits at most ten seconds; after that, the archive is the last saved one.
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
    options = _generator_options(prior, context, depth, nodes)
    generation = _Generation(corpus, (), world, _model_text(model), options)
    specification = None if archive is None else FilePath(archive).read_text(encoding="utf-8")
    arguments = {
        "generations": _unsigned("generations", generations, _LARGEST_INDEX, 1),
        "initial": _unsigned("initial", initial, _LARGEST_SIZE, 1),
        "pairs": _unsigned("pairs", pairs, _LARGEST_SIZE, 1),
        "seed": _unsigned("seed", seed, _LARGEST_INDEX),
        "folder": None if folder is None else os.fspath(folder),
        "archive": specification,
        "jobs": _unsigned("jobs", jobs, _MAX_JOBS, 1),
    }
    if specification is not None:
        for group, name in generation.core.unknown_names(specification):
            warnings.warn(f"group `{group}`: the world `{generation.core.world()}` has no `{name}`", stacklevel=2)
    with observer(progress) as report:
        document = generation.core.evolve(arguments, report)
    games = [generation.game(record["text"], record) for record in document["games"]]
    return Archive(document, games)
