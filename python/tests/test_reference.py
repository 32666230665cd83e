"""The reference of the package in the book."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import goalspec

sys.path.insert(0, str(ROOT / "python/tools"))
import reference  # noqa: E402


def test_the_page_is_current() -> None:
    assert reference.PAGE.read_text() == reference.page(), "run `python python/tools/reference.py`"
    assert "(python-api.md)" in (ROOT / "docs/src/SUMMARY.md").read_text()


def test_all_public_names_are_described() -> None:
    text = reference.PAGE.read_text()
    for name in goalspec.__all__:
        section = text.split(f"\n### goalspec.{name}\n")[1].split("\n### ")[0]
        assert section.replace("```", "").strip().count("\n") >= 2, name


def test_changed_pages_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    monkeypatch.setattr(reference, "PAGE", page)
    assert reference.main(["--check"]) == 1 and "out of date" in capsys.readouterr().err
    assert reference.main([]) == 0 and reference.main(["--check"]) == 0
    page.write_text(page.read_text() + "more\n")
    assert reference.main(["--check"]) == 1
    assert reference.main(["--all"]) == 2


def test_the_script_runs_alone() -> None:
    done = subprocess.run([sys.executable, ROOT / "python/tools/reference.py", "--check"], check=False)
    assert done.returncode == 0


def test_signatures_are_as_written() -> None:
    tree = ast.parse("def f(self, a: int, /, b: str = 'x', *rest: int, c: float, d=None, **more) -> None: pass")
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert reference.signature("F.f", function, True) == "```py\nF.f(a: int, /, b: str = 'x', *rest: int, c: float, d=None, **more) -> None\n```\n"


def test_docstrings_become_markdown() -> None:
    text = "Return ``a<b>`` for x < 2.\n\nArgs:\n    x: A number,\n        at least 0.\n    y, z: Others.\n\nRaises:\n    ValueError: If ``x`` is negative.\n\n>>> f(1)\n2\n"
    assert reference.markdown(text) == (
        "Return `a<b>` for x \\< 2.\n\n**Arguments**\n\n- `x`: A number,\n  at least 0.\n- `y`, `z`: Others.\n\n"
        "**Exceptions**\n\n- `ValueError`: If `x` is negative.\n\n```pycon\n>>> f(1)\n2\n```\n"
    )
