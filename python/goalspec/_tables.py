"""Tables of reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from goalspec import _core, _html, _optional

_DTYPES: dict[str, Any] = {"text": object, "count": np.int64, "float": np.float64, "bool": np.bool_}


def _array(kind: str, values: list[Any]) -> npt.NDArray[Any]:
    if None not in values:
        return np.array(values, dtype=_DTYPES[kind])
    if kind in ("count", "float"):
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return np.array(values, dtype=object)


class Table(Mapping[str, npt.NDArray[Any]]):
    """A table: arrays of equal length by name of column, which any library takes that reads the Arrow C stream interface.

    Texts are arrays of objects, in which ``None`` is an empty cell. An empty cell among numbers is NaN, among truth values ``None``; for
    Arrow, all of them are nulls.

    >>> import goalspec
    >>> table = goalspec.score(goalspec.load("@throw-to-bin")).table()
    >>> table["preference"].tolist(), table["count"].tolist()
    (['throwToBin', 'throwFromAfar', 'throwAttempt'], [2, 0, 3])
    """

    def __init__(self, columns: Mapping[str, tuple[str, list[Any]]], arrow: _core.ArrowTable) -> None:
        self._columns = {name: _array(kind, values) for name, (kind, values) in columns.items()}
        self._arrow = arrow

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        """Return the values of a column. Raises ``KeyError`` with the names if there is none of this name."""
        if name not in self._columns:
            raise KeyError(f"unknown column `{name}`; the columns are {', '.join(f'`{one}`' for one in self._columns)}")
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    @property
    def num_rows(self) -> int:
        """The number of rows."""
        return next((len(values) for values in self._columns.values()), 0)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the table as an Arrow C stream."""
        return self._arrow.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> Any:
        """Return a ``pyarrow.Table``. Raises ``ImportError`` if pyarrow is not installed."""
        return _optional.to_arrow(self)

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame`` with Arrow-backed columns. Raises ``ImportError`` if pandas or pyarrow is not installed."""
        return _optional.to_pandas(self)

    def to_polars(self) -> Any:
        """Return a ``polars.DataFrame``. Raises ``ImportError`` if polars is not installed."""
        return _optional.to_polars(self)

    def __repr__(self) -> str:
        return f"<goalspec.Table with {self.num_rows} rows and the columns {', '.join(self)}>"

    def _repr_html_(self) -> str:
        return _html.table(tuple(self), zip(*self._columns.values(), strict=True))
