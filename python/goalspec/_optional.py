"""Packages that are imported on use."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any


def require(name: str, extra: str) -> ModuleType:
    """Import an optional package, which the extra installs.

    Raises:
        ImportError: If it is not installed; the message says how to install it.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(f"this requires {name}: `pip install 'goalspec[{extra}]'`") from error


def to_arrow(stream: Any) -> Any:
    """Convert an object with ``__arrow_c_stream__`` to a ``pyarrow.Table``."""
    return require("pyarrow", "arrow").table(stream)


def to_pandas(stream: Any) -> Any:
    """Convert an object with ``__arrow_c_stream__`` to a ``pandas.DataFrame`` with Arrow-backed columns."""
    pandas = require("pandas", "pandas")
    return require("pyarrow", "pandas").table(stream).to_pandas(types_mapper=pandas.ArrowDtype)


def to_polars(stream: Any) -> Any:
    """Convert an object with ``__arrow_c_stream__`` to a ``polars.DataFrame``."""
    return require("polars", "polars").DataFrame(stream)
