"""Resource graph games: Monte Carlo experiments and exact analysis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from goalspec import _core, _html
from goalspec._library import Library, Path, Program, load
from goalspec._progress import observer


def _game(game: Program | Library | Path) -> Program:
    if isinstance(game, Program):
        return game
    library = game if isinstance(game, Library) else load(game)
    games = [program for program in library if program.language == "rgg"]
    if len(games) != 1:
        raise ValueError(f"expected one resource graph game, found {len(games)}; pass a program")
    return games[0]


def _policies(policies: str | Iterable[str] | Mapping[str, str]) -> list[str]:
    if isinstance(policies, str):
        return [policies]
    if isinstance(policies, Mapping):
        return [f"{team}={policy}" for team, policy in policies.items()]
    return list(policies)


class Study:
    """The results of a Monte Carlo experiment. ``to_dict()`` is the object that ``goalspec simulate --format json`` prints.

    >>> import goalspec
    >>> goalspec.simulate("@berries", games=5).cancelled
    False
    """

    def __init__(self, record: Mapping[str, Any]) -> None:
        self._record = dict(record)

    @property
    def games(self) -> int:
        """The number of games that were played."""
        return cast(int, self._record["games"])

    @property
    def rewards(self) -> dict[str, dict[str, Any]]:
        """The summary of the reward of each team: its mean, confidence interval, standard deviation and quantiles."""
        return dict(self._record["rewards"])

    @property
    def cancelled(self) -> bool:
        """Whether the experiment was interrupted before all games were played."""
        return cast(bool, self._record["cancelled"])

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``goalspec simulate --format json`` prints."""
        return dict(self._record)

    def __getitem__(self, key: str) -> Any:
        return self._record[key]

    def __repr__(self) -> str:
        return f"<goalspec.Study of {self.games} games>"

    def _repr_html_(self) -> str:
        rows = ((team, one.get("mean"), one.get("standard_deviation")) for team, one in self.rewards.items())
        return _html.table(("team", "mean reward", "standard deviation"), rows)


def simulate(
    game: Program | Library | Path,
    *,
    policies: str | Iterable[str] | Mapping[str, str] = "random",
    games: int = 1000,
    seed: int = 0,
    first: int = 0,
    max_turns: int | None = None,
    vary: Iterable[str] = (),
    compare: Iterable[str] = (),
    stop: float | None = None,
    stop_of: Iterable[str] = (),
    follow: Iterable[str] = (),
    discount: float | None = None,
    jobs: int | None = None,
    progress: bool | Callable[[int, int], object] | None = None,
) -> Study:
    """Play games with policies, and return statistics of them. Equal arguments give equal results, on any number of threads.

    Args:
        game: A program, a library with one resource graph game, or a path.
        policies: A policy of all teams, such as ``"greedy"``, or policies by team; see ``goalspec simulate --help``.
        games: The number of games; with ``stop``, the maximum number.
        seed: The random seed.
        first: The index of the first game, to repeat a game.
        max_turns: The maximum number of turns of a game; longer games are truncated.
        vary: Values of the file that are sampled for every game, each as ``PATH=CONSTRAINT``.
        compare: Policies that play the same seeds, for paired differences.
        stop: The half-width of the confidence intervals of the means at which to stop.
        stop_of: The numbers to which ``stop`` applies, such as ``"reward.ann"``; by default the rewards of all teams.
        follow: The resources that are tracked over time, as ``NODE.RESOURCE``.
        discount: The discount factor for returns.
        jobs: The number of threads; by default one per core.
        progress: ``True`` for a progress bar (if ``tqdm`` is installed), or a function of the numbers of games played and of all games.

    Raises:
        CheckError: If the game has errors.
        ValueError: If a policy, a path or another argument is invalid.
        KeyboardInterrupt: If it is interrupted; the statistics so far are the attribute ``partial`` of the exception.

    >>> import goalspec
    >>> study = goalspec.simulate("@berries", policies="greedy", games=20)
    >>> study.games, sorted(study.rewards)
    (20, ['ann', 'ben'])
    """
    program = _game(game)
    arguments = {
        "policies": _policies(policies),
        "games": games,
        "seed": seed,
        "first": first,
        "max_turns": max_turns,
        "vary": list(vary),
        "compare": list(compare),
        "stop": stop,
        "stop_of": list(stop_of),
        "follow": list(follow),
        "discount": discount,
        "jobs": jobs,
    }
    try:
        with observer(progress) as observe:
            return Study(_core.simulate(program._core, program._index, arguments, observe))
    except KeyboardInterrupt as interrupt:
        partial = getattr(interrupt, "partial", None)
        interrupt.partial = None if partial is None else Study(partial)  # type: ignore[attr-defined]
        raise


class Analysis:
    """The result of an exact analysis. ``to_dict()`` is the object that ``goalspec analyse --format json`` prints.

    >>> import goalspec
    >>> goalspec.analyse("@berries", horizon=2).to_dict()["horizon"]
    2
    """

    def __init__(self, record: Mapping[str, Any]) -> None:
        self._record = dict(record)

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``goalspec analyse --format json`` prints."""
        return dict(self._record)

    def __getitem__(self, key: str) -> Any:
        return self._record[key]

    def __repr__(self) -> str:
        return f"<goalspec.Analysis with {', '.join(self._record)}>"


def analyse(
    game: Program | Library | Path,
    *,
    policies: str | Iterable[str] | Mapping[str, str] = "random",
    best: str | None = None,
    horizon: int | None = None,
    max_states: int | None = None,
) -> Analysis:
    """Compute the distributions of a game exactly, without sampling.

    Args:
        game, policies: As in ``simulate``.
        best: The team whose best response to the others is computed.
        horizon: The maximum number of turns of a game.
        max_states: The maximum number of states.

    Raises:
        CheckError: If the game has errors.
        RefusedError: If the game exceeds a limit, or has rules that the analysis does not support.

    >>> import goalspec
    >>> goalspec.analyse("@berries", policies="greedy", horizon=4)["horizon"]
    4
    """
    program = _game(game)
    record = _core.analyse(program._core, program._index, _policies(policies), best, horizon, max_states)
    return Analysis(record)
