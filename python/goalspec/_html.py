"""HTML without scripts, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_MAX_ROWS = 50


def preformatted(text: str) -> str:
    """Return a text as HTML."""
    return f"<pre>{escape(text)}</pre>"


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as HTML: at most 50 rows, then the number of the others."""
    cells = [[escape("" if cell is None else str(cell))[:500] for cell in row] for row in rows]
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in cells[:_MAX_ROWS])
    rest = f"<p>and {len(cells) - _MAX_ROWS} more</p>" if len(cells) > _MAX_ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"
