"""Write the reference of the Python package, ``docs/src/python-api.md``, from the signatures and docstrings of its public modules.

The sources are parsed, not imported, so that optional packages need not be installed.

    python python/tools/reference.py            write the page
    python python/tools/reference.py --check    exit with 1 if the page is out of date
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/src/python-api.md"
MODULES = ["goalspec", "goalspec.gym", "goalspec.petting", "goalspec.openspiel", "goalspec.train", "goalspec.generate", "goalspec.ray", "goalspec.spark"]

INTRODUCTION = """# Python reference

<!-- Written by python/tools/reference.py from the signatures and docstrings of the package. -->

The public names of the [Python package](python.md), module by module. Names that are not listed are private. The package has type stubs, which
type checkers and editors read.
"""

# Sections of a docstring that list names, with their titles in the page.
SECTIONS = {"Args:": "Arguments", "Raises:": "Exceptions"}

MAX_SIGNATURE = 100


@dataclass(frozen=True)
class Definition:
    """The definition of a public name."""

    name: str
    node: ast.stmt
    siblings: list[ast.stmt]
    """The statements of the block that contains the definition."""
    module: ast.Module


def path_of(module: str) -> Path:
    """Return the file of a module."""
    base = ROOT / "python" / Path(*module.split("."))
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def parse(module: str) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path_of(module).read_text(), str(path_of(module)))


def public_names(tree: ast.Module) -> list[str]:
    """Return the names in ``__all__``."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    raise ValueError("a public module has no `__all__`")


def names_of(node: ast.stmt) -> list[str]:
    """Return the names that a statement defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return []


def find(name: str, tree: ast.Module) -> Definition:
    """Return the definition of a name, in a module or in the one that it is imported from."""
    for node in tree.body:
        if name in names_of(node):
            return Definition(name, node, tree.body, tree)
        if isinstance(node, ast.ImportFrom) and node.module and any((one.asname or one.name) == name for one in node.names):
            original = next(one.name for one in node.names if (one.asname or one.name) == name)
            return find(original, parse(node.module))
    raise ValueError(f"`{name}` is public, and is defined nowhere")


def described(node: ast.stmt, siblings: list[ast.stmt]) -> str | None:
    """Return the docstring of a definition; that of a variable is the text after it."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return ast.get_docstring(node)
    place = siblings.index(node) + 1
    following = siblings[place] if place < len(siblings) else None
    if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant) and isinstance(following.value.value, str):
        return textwrap.dedent(following.value.value).strip()
    return None


def parameters(arguments: ast.arguments, is_method: bool) -> list[str]:
    """Return the parameters of a function as they are written."""
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)

    def text(argument: ast.arg, default: ast.expr | None) -> str:
        annotation = f": {ast.unparse(argument.annotation)}" if argument.annotation else ""
        equals = " = " if annotation else "="
        return argument.arg + annotation + (f"{equals}{ast.unparse(default)}" if default else "")

    result = [text(argument, default) for argument, default in zip(positional, defaults, strict=True)]
    if arguments.posonlyargs:
        result.insert(len(arguments.posonlyargs), "/")
    if is_method:
        result = result[1:]
        result = result[1:] if result[:1] == ["/"] else result
    if arguments.vararg:
        result.append("*" + text(arguments.vararg, None))
    elif arguments.kwonlyargs:
        result.append("*")
    result += [text(argument, default) for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return result + (["**" + text(arguments.kwarg, None)] if arguments.kwarg else [])


def signature(name: str, function: ast.FunctionDef | None, is_method: bool) -> str:
    """Return a block with the call of a function."""
    given = [] if function is None else parameters(function.args, is_method)
    returned = function.returns if function is not None and function.name != "__init__" else None
    end = f") -> {ast.unparse(returned)}" if returned else ")"
    line = f"{name}({', '.join(given)}{end}"
    if len(line) > MAX_SIGNATURE:
        line = f"{name}(\n" + "".join(f"    {one},\n" for one in given) + end
    return f"```py\n{line}\n```\n"


def inline(text: str) -> str:
    """Convert a line of a docstring to Markdown."""
    parts = re.split(r"``(.+?)``", text)
    escaped = [re.sub(r"([<*\[|])", r"\\\1", part) if place % 2 == 0 else f"`{part}`" for place, part in enumerate(parts)]
    return "".join(escaped)


def markdown(text: str) -> str:
    """Convert a docstring to Markdown: sessions are blocks of code, and sections lists."""
    result: list[str] = []
    lines = iter(text.splitlines())
    in_section = in_session = False
    for line in lines:
        is_session = line.lstrip().startswith(">>>") or (in_session and line.strip() != "")
        if is_session != in_session:
            result.append("```pycon" if is_session else "```\n")
            in_session = is_session
        if in_session:
            result.append(line)
        elif line.strip() in SECTIONS:
            in_section = True
            result += [f"**{SECTIONS[line.strip()]}**", ""]
        elif in_section and line.startswith("    ") and not line.startswith("     "):
            names, colon, rest = line.strip().partition(":")
            item = ", ".join(f"`{name.strip()}`" for name in names.split(",")) if colon else inline(names)
            result.append(f"- {item}{colon}{inline(rest)}")
        else:
            in_section = in_section and (line == "" or line.startswith(" "))
            result.append(inline(line.strip()) if not in_section or line == "" else f"  {inline(line.strip())}")
    return "\n".join([*result, "```"] if in_session else result).strip() + "\n"


def members(owner: ast.ClassDef, module: ast.Module) -> Iterator[tuple[ast.stmt, list[ast.stmt]]]:
    """Yield the members of a class and of its private bases, with the statements around each."""
    for base in owner.bases:
        if isinstance(base, ast.Name) and base.id.startswith("_"):
            for node in module.body:
                if isinstance(node, ast.ClassDef) and node.name == base.id:
                    yield from members(node, module)
    for node in owner.body:
        yield node, owner.body
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            yield from ((inner, node.body) for inner in node.body)


def attribute(node: ast.stmt) -> tuple[str, str] | None:
    """Return the name and the type of the public attribute that a statement defines."""
    if isinstance(node, ast.AnnAssign):
        target = node.target
        is_own = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
        name = target.attr if is_own and isinstance(target, ast.Attribute) else target.id if isinstance(target, ast.Name) else "_"
        return None if name.startswith("_") else (name, ast.unparse(node.annotation))
    if isinstance(node, ast.FunctionDef) and any(isinstance(one, ast.Name) and one.id == "property" for one in node.decorator_list):
        return None if node.name.startswith("_") else (node.name, ast.unparse(node.returns) if node.returns else "Any")
    return None


def class_page(definition: Definition, owner: ast.ClassDef) -> Iterator[str]:
    """Yield the description of a class."""
    known = list(members(owner, definition.module))
    functions = {node.name: node for node, _ in known if isinstance(node, ast.FunctionDef)}
    # Objects without a section of arguments are made by functions of the package.
    if "__init__" in functions and "Args:" in (ast.get_docstring(owner) or ""):
        yield signature(owner.name, functions["__init__"], True)
    else:
        names = ", ".join(ast.unparse(base) for base in owner.bases if not ast.unparse(base).startswith("_"))
        yield f"```py\nclass {owner.name}" + (f"({names})" if names else "") + "\n```\n"
    yield markdown(ast.get_docstring(owner) or "")
    attributes = {}
    for node, siblings in known:
        found, text = attribute(node), described(node, siblings)
        if found is not None and text is not None:
            attributes[found[0]] = (found[1], text)
    for name, (kind, text) in attributes.items():
        lines = markdown(text).strip().splitlines()
        yield "\n".join([f"- `{name}`: `{kind}`. {lines[0]}", *(f"  {line}".rstrip() for line in lines[1:])])
    yield ""
    for name, function in functions.items():
        is_public = not name.startswith("_") and name not in attributes
        text = ast.get_docstring(function)
        if is_public and text:
            is_static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in function.decorator_list)
            yield f"#### {owner.name}.{name}\n"
            yield signature(f"{owner.name}.{name}", function, not is_static)
            yield markdown(text)


def module_page(module: str) -> Iterator[str]:
    """Yield the description of a module."""
    tree = parse(module)
    yield f"## {module}\n"
    yield markdown(ast.get_docstring(tree) or "")
    for name in sorted(public_names(tree), key=str.lower):
        definition = find(name, tree)
        node = definition.node
        yield f"### {module}.{name}\n"
        if isinstance(node, ast.ClassDef):
            yield from class_page(definition, node)
        elif isinstance(node, ast.FunctionDef):
            yield signature(f"{module}.{name}", node, False)
            yield markdown(ast.get_docstring(node) or "")
        else:
            yield markdown(described(node, definition.siblings) or "")


def page() -> str:
    """Return the page."""
    parts = [INTRODUCTION, *(part for module in MODULES for part in module_page(module))]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


def main(arguments: list[str]) -> int:
    """Write the page or, with ``--check``, compare it."""
    text = page()
    if arguments == ["--check"]:
        is_current = PAGE.is_file() and PAGE.read_text() == text
        if not is_current:
            print(f"{PAGE} is out of date: run `python python/tools/reference.py`", file=sys.stderr)
        return 0 if is_current else 1
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
