"""The places of a program that have values, and calls in its syntax tree that tell these values.

Programs are run by any Python that has JAX: this imports nothing else.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

#: The function that is called at each place, with the place's number and its value; it returns the value.
PROBE = "__probe__"
#: The name of a place that is a ``return``.
RETURN = "return"


class Place(NamedTuple):
    """Something that has a value: a name where it is bound, a parameter, or what a function returns."""

    line: int
    column: int
    name: str
    is_parameter: bool = False


class Probes(ast.NodeTransformer):
    """Puts a probe after each assignment to a name and around each returned value; `first` is the number of the first."""

    def __init__(self, first: int = 0) -> None:
        self._first = first
        self.places: list[Place] = []

    def visit_Return(self, node: ast.Return) -> ast.Return:
        if node.value is not None:
            place = node.value.lineno, node.value.col_offset
            self.generic_visit(node)
            node.value = self.probe(place, RETURN, node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        self.generic_visit(node)
        return [node, *self.bound(node.targets)]

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        self.generic_visit(node)
        return [node, *self.bound([node.target])]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        self.generic_visit(node)
        return [node, *self.bound([node.target] if node.value else [])]

    def bound(self, targets: list[ast.expr]) -> list[ast.stmt]:
        """Probes of the names that targets bind; where one is bound several times, it has the last value afterwards."""
        nodes = [node for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
        stored = sorted(
            (node for node in nodes if isinstance(node.ctx, ast.Store)),
            key=lambda node: (node.lineno, node.col_offset),
        )
        last = {node.id: node for node in stored}
        return [self.after(node, name) for name, node in last.items()]

    def after(self, node: ast.expr | ast.arg, name: str, is_parameter: bool = False) -> ast.stmt:
        """A statement that probes a name."""
        value = ast.Name(name, ast.Load())
        return ast.Expr(self.probe((node.lineno, node.col_offset), name, value, is_parameter))

    def probe(
        self, place: tuple[int, int], name: str, value: ast.expr, is_parameter: bool = False
    ) -> ast.Call:
        """A probe of a value."""
        number = ast.Constant(self._first + len(self.places))
        self.places.append(Place(*place, name, is_parameter))
        return ast.Call(ast.Name(PROBE, ast.Load()), [number, value], [])


class AllProbes(Probes):
    """Probes of names that are assigned within expressions, too, and of parameters of functions and lambdas."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        # A docstring stays first, for programs that print theirs.
        at = int(ast.get_docstring(node, clean=False) is not None)
        node.body[at:at] = [self.after(each, each.arg, is_parameter=True) for each in _parameters(node)]
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        self.generic_visit(node)
        told: list[ast.expr] = [
            self.probe((each.lineno, each.col_offset), each.arg, ast.Name(each.arg, ast.Load()), True)
            for each in _parameters(node)
        ]
        if told:
            node.body = ast.Subscript(ast.Tuple([*told, node.body], ast.Load()), ast.Constant(-1), ast.Load())
        return node

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.NamedExpr:
        self.generic_visit(node)
        node.value = self.probe((node.target.lineno, node.target.col_offset), node.target.id, node.value)
        return node


def _parameters(node: ast.FunctionDef | ast.Lambda) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
