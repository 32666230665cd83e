"""Series of goals: made in chunks by their indices, in the order of the indices."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from goalspec._generated import _Examples, _Generation

_FIRST_CHUNK, _LARGEST_CHUNK = 1, 64

_LARGEST_INDEX = 2**64 - 1

_LARGEST_SIZE = 2**32 - 1

_MAX_MISSING = 32
"""The number of games in a row that are not found before a series ends with an exception."""

_Chunk = tuple[list[tuple[str, dict[str, Any]] | None], str]


def _unsigned(name: str, value: int | None, largest: int, least: int = 0) -> int | None:
    """Return an argument that is a number in a range."""
    if value is None:
        return None
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r}: expected an integer") from None
    if not least <= number <= largest:
        raise ValueError(f"{name}={number}: expected a number from {least} to {largest}")
    return number


_Maker = Callable[[tuple[int, int]], _Chunk]


def _series(generation: _Generation | _Examples, makers: list[tuple[str, _Maker]], n: int | None, first: int) -> Iterator[Any]:
    """Return ``n`` goals of each maker in turn, without end if ``n`` is ``None``. Indices for which there is no game are left out."""
    return _yielded(
        generation, makers, _unsigned("n", n, _LARGEST_INDEX), cast(int, _unsigned("first", first, _LARGEST_INDEX))
    )


def _yielded(
    generation: _Generation | _Examples, makers: list[tuple[str, _Maker]], n: int | None, start: int
) -> Iterator[Any]:
    found, missing, size = [0] * len(makers), [0] * len(makers), _FIRST_CHUNK
    while n is None or min(found) < n:
        if start > _LARGEST_INDEX:
            raise ValueError(f"there are no games beyond the index {_LARGEST_INDEX}")
        chunks = [None if n is not None and found[place] >= n else make((start, size)) for place, (_, make) in enumerate(makers)]
        for offset in range(size):
            for place, chunk in enumerate(chunks):
                if chunk is None or (n is not None and found[place] >= n):
                    continue
                made, reason = chunk[0][offset], chunk[1]
                if made is not None:
                    found[place] += 1
                    missing[place] = 0
                    yield generation.game(*made)
                    continue
                missing[place] += 1
                if missing[place] >= _MAX_MISSING:
                    raise ValueError(f"{makers[place][0]}: {_MAX_MISSING} games in a row were not found: {reason}")
        start += size
        size = min(2 * size, _LARGEST_CHUNK)


def _different(make: _Maker) -> _Maker:
    """Return a maker without the games that equal an earlier one apart from their names."""
    known: set[str] = set()

    def is_new(record: Mapping[str, Any]) -> bool:
        size = len(known)
        known.add(record["program"].partition("(:domain")[2])
        return len(known) > size

    def make_different(indices: tuple[int, int]) -> _Chunk:
        made, reason = make(indices)
        return [game if game is not None and is_new(game[1]) else None for game in made], reason

    return make_different
