"""Diagnostics: findings about programs, traces and worlds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from goalspec import _html


@dataclass(frozen=True)
class Related:
    """A secondary place that helps to understand a diagnostic."""

    message: str
    name: str | None
    line: int | None
    column: int | None


@dataclass(frozen=True)
class Edit:
    """A replacement of a range of text. Lines and columns count from 1; the end is after the last character."""

    line: int
    column: int
    end_line: int
    end_column: int
    replacement: str


@dataclass(frozen=True)
class Fix:
    """A change that removes the cause of a diagnostic; ``safe`` is whether it may be applied without review."""

    title: str
    safe: bool
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Diagnostic:
    """A finding: a message, its place, and ways to fix it.

    ``severity`` is ``"error"``, ``"warning"`` or ``"note"``. Lines and columns count from 1; columns count Unicode code points, and the
    end is after the last character. A finding about a whole input has no place: its ``name`` and numbers are ``None``. ``str()`` is the
    text that the command line prints.

    >>> import goalspec
    >>> found = goalspec.loads("(define (game", name="bad.game", strict=False).diagnostics[0]
    >>> found.name, found.line, found.is_error
    ('bad.game', 1, True)
    """

    code: str
    severity: str
    message: str
    name: str | None
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None
    help: tuple[str, ...]
    fixes: tuple[Fix, ...]
    related: tuple[Related, ...]
    _text: str = field(repr=False, compare=False)
    _record: Mapping[str, Any] = field(repr=False, compare=False)

    @property
    def is_error(self) -> bool:
        """Whether the severity is ``"error"``."""
        return self.severity == "error"

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``goalspec check --format json`` prints."""
        return dict(self._record)

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return _html.preformatted(self._text)


def _place(span: Mapping[str, Any] | None) -> tuple[str | None, int | None, int | None, int | None, int | None]:
    if span is None:
        return None, None, None, None, None
    start, end = span["start"], span["end"]
    return span["file"], start["line"], start["column"], end["line"], end["column"]


def _edit(record: Mapping[str, Any]) -> Edit:
    _, line, column, end_line, end_column = _place(record["span"])
    return Edit(line or 1, column or 1, end_line or 1, end_column or 1, record["replacement"])


def from_json(record: Mapping[str, Any], text: str) -> Diagnostic:
    """Create a diagnostic from its JSON object and its text."""
    fixes = (
        Fix(fix["title"], fix["applicability"] == "safe", tuple(_edit(edit) for edit in fix["edits"]))
        for fix in record["fixes"]
    )
    related = (Related(one["message"], *_place(one["span"])[:3]) for one in record["related"])
    return Diagnostic(
        record["code"],
        record["severity"],
        record["message"],
        *_place(record["span"]),
        tuple(record["help"]),
        tuple(fixes),
        tuple(related),
        text,
        record,
    )
