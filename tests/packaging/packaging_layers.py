"""The imports of the package's own modules: which module imports which, and where in the module the import stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[2] / "jaxtyping_core"


class Import(NamedTuple):
    """A module that another one imports, both by their paths below the package."""

    importer: str
    imported: str
    line: int
    in_function: bool
    #: Whether a comment stands beside it.
    has_reason: bool


def modules() -> dict[str, Path]:
    """The modules of the package by their dotted names below it; "" is the package."""
    return {_name(file): file for file in sorted(PACKAGE.rglob("*.py"))}


def _name(file: Path) -> str:
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(of: dict[str, Path]) -> Iterator[Import]:
    """All imports of modules of the package in some of them; not those for type checkers alone."""
    for name, file in of.items():
        text = file.read_text(encoding="utf-8")
        lines = text.splitlines()
        folder = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
        for node, in_function in _imports_in(ast.parse(text), False):
            for target in _targets(node, [part for part in folder if part], of):
                has_reason = "#" in lines[node.lineno - 1]
                yield Import(name, target, node.lineno, in_function, has_reason)


def _imports_in(node: ast.AST, in_function: bool) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child, in_function
        elif not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            inside = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
            yield from _imports_in(child, in_function or inside)


def _targets(node: ast.Import | ast.ImportFrom, folder: list[str], of: dict[str, Path]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif node.level:
        base = [*folder[: len(folder) - node.level + 1], *(node.module or "").split(".")]
        start = ".".join(part for part in base if part)
        names = [f"jaxtyping_core.{start}.{alias.name}" for alias in node.names]
    else:
        names = [f"{node.module}.{alias.name}" for alias in node.names]
    for name in names:
        if name.split(".")[0] == PACKAGE.name:
            below = name.removeprefix(PACKAGE.name).strip(".")
            target = below if below in of else below.rpartition(".")[0]
            if target in of:
                yield target


def circles(edges: list[Import]) -> list[list[str]]:
    """The groups of modules that import each other, by way of others perhaps."""
    after: dict[str, set[str]] = {}
    for edge in edges:
        after.setdefault(edge.importer, set()).add(edge.imported)
    reach = {name: _reached(name, after) for name in after}
    groups = {
        frozenset(other for other in reached if name in reach.get(other, ()))
        for name, reached in reach.items()
        if name in reached
    }
    return sorted(sorted(group) for group in groups)


def _reached(name: str, after: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    todo = [*after.get(name, ())]
    while todo:
        each = todo.pop()
        if each not in seen:
            seen.add(each)
            todo += after.get(each, ())
    return seen
