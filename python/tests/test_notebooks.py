"""The notebooks: their cells run in order, and print what the files show.

``GOALSPEC_NOTEBOOKS=overwrite`` writes the outputs of the run into the files; review the difference before you keep it.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import notebooks
import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "python/notebooks").glob("*.ipynb"))


def notebook(*sources: str) -> dict[str, Any]:
    cells = [{"cell_type": "code", "id": str(place), "metadata": {}, "source": [text]} for place, text in enumerate(sources)]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_outputs_are_those_of_the_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    committed = notebooks.read(path)
    for package in committed["metadata"]["goalspec"]["requires"]:
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    monkeypatch.chdir(tmp_path)
    found = notebooks.executed(committed, path.name)
    if os.environ.get("GOALSPEC_NOTEBOOKS") == "overwrite":
        notebooks.write(path, found)
    # Cells are compared one by one: a difference names the first cell that differs.
    for place, (cell, wanted) in enumerate(zip(found["cells"], committed["cells"], strict=True)):
        assert cell == wanted, f"{path.name}, cell {place}"


def test_the_book_lists_the_notebooks() -> None:
    text = (ROOT / "docs/src/python.md").read_text()
    assert len(NOTEBOOKS) >= 4
    for path in NOTEBOOKS:
        assert f"python/notebooks/{path.name}" in text


def test_cells_share_their_names_and_show_their_last_value() -> None:
    found = notebooks.executed(notebook("x = 2\nprint('two')", "x + 1", "x = None\nx"), "sample")["cells"]
    assert found[0]["outputs"] == [{"name": "stdout", "output_type": "stream", "text": ["two\n"]}]
    assert found[1]["outputs"][0]["data"] == {"text/plain": ["3"]}
    assert (found[1]["execution_count"], found[2]["outputs"]) == (2, [])


def test_cells_that_fail_are_named() -> None:
    with pytest.raises(notebooks.CellError, match=r"sample, cell 1: ZeroDivisionError"):
        notebooks.executed(notebook("x = 0", "1 / x"), "sample")
    with pytest.raises(notebooks.CellError, match=r"sample, cell 0: SyntaxError"):
        notebooks.executed(notebook("!pip install x"), "sample")
