"""The examples of the package, and the sessions that the book and the README show."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

SESSION = re.compile(r"^```pycon\n(.*?)^```$", flags=re.M | re.S)


PAGES = [
    "README.md",
    "docs/src/python.md",
    "docs/src/game-environments.md",
    "docs/src/generation.md",
    "docs/src/large-collections.md",
    "docs/src/howto/use-from-python.md",
    "docs/src/tutorials/curriculum.md",
]


@pytest.mark.parametrize("page", PAGES)
def test_sessions_print_what_the_page_shows(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page.endswith("large-collections.md"):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed: the page on large collections is not tested")
    sessions = SESSION.findall((ROOT / page).read_text())
    assert sessions
    os.symlink(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    test = doctest.DocTestParser().get_doctest("\n".join(sessions), {}, page, page, 0)
    runner.run(test)
    assert test.examples and runner.failures == 0


@pytest.mark.parametrize("script", sorted((ROOT / "python/examples").glob("*.py")), ids=lambda script: script.stem)
def test_examples_run(script: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_command_of_the_readme_installs_this_package() -> None:
    text = (ROOT / "README.md").read_text()
    assert "pip install .\n" in text
    assert 'name = "goalspec"' in (ROOT / "pyproject.toml").read_text()
