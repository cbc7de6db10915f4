"""The places of a program that have values, and copies of it that tell these values or reveal their types."""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import NamedTuple

from truth.probes import PROBE, Place, Probes


class Copy(NamedTuple):
    """A program that tells its values: one statement a line, and no line with two probes."""

    source: str
    places: list[Place]


def probed(source: str) -> Copy:
    """Copy a program with a probe after each binding of a name, for each parameter and around each returned value."""
    writer = _Writer()
    tree = ast.fix_missing_locations(writer.visit(ast.parse(source)))
    return Copy(ast.unparse(tree), writer.places)


def revealing(copy: Copy, chosen: Collection[int]) -> tuple[str, dict[int, int]]:
    """The copy with `reveal_type` for the probes of the chosen places, and which place each such line is about."""
    tree = ast.parse(copy.source)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    lines = {call.lineno: number for call in calls if (number := _number(call)) is not None}
    lines = {line: number for line, number in lines.items() if number in chosen}
    return ast.unparse(_Revealer(chosen).visit(tree)), lines


class _Writer(Probes):
    """Probes parameters and the names that loops bind, too."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        parameters = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        probes = [
            self.after(parameter, parameter.arg, is_parameter=True)
            for parameter in parameters
            if parameter.annotation
        ]
        self.generic_visit(node)
        start = 0 if ast.get_docstring(node) is None else 1
        node.body[start:start] = probes
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """Look into methods only: named tuples and their kin take no other statements than fields."""
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef):
                self.visit(statement)
        return node

    def visit_For(self, node: ast.For) -> ast.For:
        probes = self.bound([node.target])
        self.generic_visit(node)
        node.body[:0] = probes
        return node


class _Revealer(ast.NodeTransformer):
    """Reveals the types at some probes and takes the others out; all lines stay where they are."""

    def __init__(self, chosen: Collection[int]) -> None:
        self._chosen = chosen

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        number = _number(node.value)
        return self.generic_visit(node) if number is None or number in self._chosen else ast.Pass()

    def visit_Call(self, node: ast.Call) -> ast.expr:
        number = _number(node)
        self.generic_visit(node)
        if number is None:
            return node
        return (
            ast.Call(ast.Name("reveal_type"), [node.args[1]], []) if number in self._chosen else node.args[1]
        )


def _number(node: ast.AST) -> int | None:
    """The number of the place that an expression probes."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=int(number)), _]) if name == PROBE:
            return number
    return None
