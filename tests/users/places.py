"""The places of a program that have values, and copies of it that tell these values or reveal their types."""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import NamedTuple

#: The function that a copy calls at each place, with the place's number and its value; it returns the value.
PROBE = "__probe__"


class Place(NamedTuple):
    """Something that has a value: a name where it is bound, a parameter, or what a function returns."""

    line: int
    column: int
    name: str
    is_parameter: bool = False


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


class _Writer(ast.NodeTransformer):
    def __init__(self) -> None:
        self.places: list[Place] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        parameters = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        probes = [
            self._after(parameter, parameter.arg, is_parameter=True)
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

    def visit_Return(self, node: ast.Return) -> ast.Return:
        if node.value is not None:
            node.value = self._probe(node, "return", node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        return [node, *self._bound(node.targets)]

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        return [node, *self._bound([node.target])]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        return [node, *self._bound([node.target] if node.value else [])]

    def visit_For(self, node: ast.For) -> ast.For:
        probes = self._bound([node.target])
        self.generic_visit(node)
        node.body[:0] = probes
        return node

    def _bound(self, targets: list[ast.expr]) -> list[ast.stmt]:
        names = [node for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
        return [self._after(name, name.id) for name in names if isinstance(name.ctx, ast.Store)]

    def _after(self, node: ast.expr | ast.arg, name: str, is_parameter: bool = False) -> ast.stmt:
        return ast.Expr(self._probe(node, name, ast.Name(name, ast.Load()), is_parameter))

    def _probe(
        self, node: ast.expr | ast.arg | ast.stmt, name: str, value: ast.expr, is_parameter: bool = False
    ) -> ast.Call:
        number = ast.Constant(len(self.places))
        self.places.append(Place(node.lineno, node.col_offset, name, is_parameter))
        return ast.Call(ast.Name(PROBE, ast.Load()), [number, value], [])


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
