"""Execution of notebooks, without Jupyter.

Cells run one after the other in the same namespace, as in a kernel of Python: the outputs of a cell are what it prints and the value of its
last expression. Cells that raise an exception have no outputs: the exception goes to the caller.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

Cell = dict[str, Any]
"""A cell, as in the file."""


class CellError(Exception):
    """A cell cannot be executed, or raised the exception that is the cause."""


def read(path: Path) -> dict[str, Any]:
    """Return a notebook, as in its file."""
    notebook: dict[str, Any] = json.loads(path.read_text())
    if (notebook["nbformat"], notebook["nbformat_minor"]) != (4, 5):
        raise ValueError(f"{path}: expected the format 4.5")
    return notebook


def write(path: Path, notebook: dict[str, Any]) -> None:
    """Write a notebook in the layout of Jupyter."""
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


def executed(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a notebook with the outputs of its cells, which are executed in order; ``name`` is for messages."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for place, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            count += 1
            cell = cell | {"execution_count": count, "outputs": _outputs(cell, namespace, f"{name}, cell {place}", count)}
        cells.append(cell)
    return notebook | {"cells": cells}


def _outputs(cell: Cell, namespace: dict[str, Any], name: str, count: int) -> list[dict[str, Any]]:
    """Execute a cell of code, and return its outputs."""
    printed = io.StringIO()
    try:
        tree = ast.parse("".join(cell["source"]), name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, name, "exec"), namespace)
            value = None if last is None else eval(compile(ast.Expression(last.value), name, "eval"), namespace)
    except Exception as error:
        raise CellError(f"{name}: {type(error).__name__}: {error}") from error
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        html = getattr(value, "_repr_html_", None)
        if html is not None:
            data = {"text/html": _lines(html()), **data}
        outputs.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
