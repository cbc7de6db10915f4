"""What a line of a program has to do with arrays, by the source of its file alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.sources import read

#: The packages whose names stand for arrays, and for what makes and declares some.
PACKAGES = frozenset({"jax", "jaxtyping", "jaxtyping_core"})


class Line:
    """A line of a file; it has nothing to do with arrays where the file cannot be read."""

    def __init__(self, file: Path, number: int) -> None:
        try:
            text, self._tree = read(file)
        except (CommandError, SyntaxError):
            text, self._tree = "", ast.Module([], [])
        self.text = "".join(text.splitlines()[number - 1 : number])
        self._number = number
        self._names = {*_names_of_packages(self._tree)}

    def reads(self, attribute: str) -> bool:
        """Whether the line reads this attribute of a module of `PACKAGES`."""
        nodes = (node for node in self._nodes() if isinstance(node, ast.Attribute))
        return any(node.attr == attribute and self._is_of_package(node) for node in nodes)

    def calls_with_arrays(self) -> bool:
        """Whether the line calls a function or a class of the file that declares to take arrays."""
        called = {
            node.func.id
            for node in self._nodes()
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        definitions = (
            node
            for node in ast.walk(self._tree)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name in called
        )
        return any(self._declares_arrays(part) for node in definitions for part in _annotations(node))

    def annotates(self) -> bool:
        """Whether the line writes the type of an array."""
        return any(self._declares_arrays(node) for node in self._nodes() if isinstance(node, ast.Subscript))

    def _nodes(self) -> Iterator[ast.expr]:
        for node in ast.walk(self._tree):
            if isinstance(node, ast.expr) and node.lineno <= self._number <= (node.end_lineno or node.lineno):
                yield node

    def _declares_arrays(self, annotation: ast.expr) -> bool:
        return any(
            self._is_of_package(node)
            for node in ast.walk(annotation)
            if isinstance(node, (ast.Name, ast.Attribute))
        )

    def _is_of_package(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self._names


def _annotations(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[ast.expr]:
    """What a definition declares of what it is called with."""
    if isinstance(node, ast.ClassDef):
        yield from (field.annotation for field in node.body if isinstance(field, ast.AnnAssign))
        constructors = (
            part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"
        )
        yield from (annotation for part in constructors for annotation in _annotations(part))
        return
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    every += filter(None, [node.args.vararg, node.args.kwarg])
    yield from (argument.annotation for argument in every if argument.annotation is not None)


def _names_of_packages(tree: ast.Module) -> Iterator[str]:
    """The names that a file gives to modules of `PACKAGES` and to what it imports from them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported = [(alias.name, alias.asname or alias.name.partition(".")[0]) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            imported = [(node.module or "", alias.asname or alias.name) for alias in node.names]
        else:
            continue
        yield from (name for module, name in imported if module.partition(".")[0] in PACKAGES)
