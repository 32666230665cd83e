"""The recipe of the conda package agrees with the project, and renders where rattler-build is installed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

RECIPE = ROOT / "recipe/recipe.yaml"
TEXT = RECIPE.read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CARGO = tomllib.loads((ROOT / "Cargo.toml").read_text())

VARIANTS = """
python: ["3.11.* *_cpython", "3.13.* *_cp313"]
is_abi3: [true]
c_compiler: [gcc]
c_stdlib: [sysroot]
rust_compiler: [rust]
"""


def entries(section: str) -> list[str]:
    """Return the entries of the first list with this key."""
    blocks = re.finditer(rf"^( *){section}:\n((?:\1  +.*\n)+)", TEXT, flags=re.M)
    lists = [re.findall(r"^ *- (\S.*)$", found[2], flags=re.M) for found in blocks]
    return next(one for one in lists if one)


def split(requirement: str) -> tuple[str, str]:
    """Return the name of a package and its versions, as conda and pip write them."""
    found = re.match(r"([\w-]+)(?:\[.*\])? ?(.*)", requirement)
    assert found
    return found[1], found[2].replace(" ", "")


def test_versions_and_names_are_those_of_the_project() -> None:
    version = CARGO["workspace"]["package"]["version"]
    assert f'\n  version: "{version}"\n' in TEXT
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert f'\n  python_min: "{oldest}"\n' in TEXT
    assert f'- "{oldest}"' in (ROOT / "recipe/conda_build_config.yaml").read_text()
    assert f"abi3-py{oldest.replace('.', '')}" in CARGO["workspace"]["dependencies"]["pyo3"]["features"]
    name, command = PROJECT["project"]["scripts"].popitem()
    assert f"- {name} = {command}" in TEXT
    assert PROJECT["project"]["description"] in TEXT and PROJECT["project"]["license"] in TEXT


def test_requirements_are_those_of_the_project() -> None:
    needed = dict(map(split, PROJECT["project"]["dependencies"]))
    assert dict(map(split, entries("run"))) == {"python": "", **needed}
    builders = dict(map(split, PROJECT["build-system"]["requires"]))
    assert builders.items() <= dict(map(split, entries("host"))).items()
    optional = {split(one) for extra in PROJECT["project"]["optional-dependencies"].values() for one in extra}
    assert set(map(split, entries("run_constraints"))) <= optional


def test_its_files_exist() -> None:
    paths = [*entries("source"), *(path for path in entries("license_file") if path != "THIRDPARTY.yml")]
    assert len(paths) == 6
    for path in [*paths, *re.findall(r"python/tests/\w+\.py", TEXT)]:
        assert (ROOT / path).exists(), path
    for program in re.findall(r"@[\w-]+", TEXT):
        import goalspec

        assert len(goalspec.load(program)) >= 1


def test_it_renders(tmp_path: Path) -> None:
    rattler: Any = pytest.importorskip("rattler_build", reason="rattler-build is not installed (`pip install py-rattler-build`)")
    variants = tmp_path / "variants.yaml"
    variants.write_text(VARIANTS)
    rendered = rattler.Stage0Recipe.from_file(str(RECIPE)).render(rattler.VariantConfig.from_file(str(variants)))
    recipes = [one.recipe if not callable(one.recipe) else one.recipe() for one in rendered]
    assert recipes and all(one.to_dict()["build"]["python"]["version_independent"] for one in recipes)
    assert "python-abi3" in recipes[0].to_dict()["requirements"]["host"]
