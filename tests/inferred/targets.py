"""Where a module assigns to a name, or returns, and which of mypy's expressions has the value.

Where a place is, only `ast` says: in mypy's trees a column may count characters, or begin inside a bracket.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Expression,
    ForStmt,
    ListExpr,
    MypyFile,
    ReturnStmt,
    StarExpr,
    Statement,
    TryStmt,
    TupleExpr,
)

from inferred.closure_reassignment import uncertain_functions
from jaxtyping_core.programs.places import RETURN
from jaxtyping_core.programs.syntax import nodes
from jaxtyping_core_mypy.convert import Type, tuple_items
from jaxtyping_core_mypy.trees import statements_inside, statements_of

#: Finds the type of a value among those of all expressions.
Find = Callable[[Mapping[Expression, Type]], Type | None]
#: The statements that have targets, as `ast` and as mypy has them.
KINDS: dict[type, type] = {
    ast.Assign: AssignmentStmt,
    ast.AnnAssign: AssignmentStmt,
    ast.For: ForStmt,
    ast.AsyncFor: ForStmt,
    ast.Return: ReturnStmt,
}


class Target(NamedTuple):
    """A place, and what finds the type of its value when mypy is done."""

    line: int
    column: int
    name: str
    value: Find


def targets_of(tree: MypyFile, source: ast.Module) -> Iterator[Target]:
    """The targets in a module, of which `tree` is what mypy parsed.

    Those after ``finally`` are left out: mypy checks such code twice, the second time for one way there only. So are
    those in functions whose variables mypy does not see as they are.
    """
    uncertain = {id(node) for function in uncertain_functions(source) for node in ast.walk(function)}
    statements = statements_of(tree)
    tries = [statement for statement in statements if isinstance(statement, TryStmt)]
    passed_over = {id(inner) for part in tries for inner in statements_inside(part.finally_body)}
    for written, statement in _pairs(source, statements):
        if id(statement) not in passed_over and id(written) not in uncertain:
            yield from _targets(written, statement)


def _pairs(source: ast.Module, statements: list[Statement]) -> Iterator[tuple[Any, Statement]]:
    """The statements of `ast` with those of mypy: in a line they have the same order."""
    of_ast: dict[tuple[type, int], list[ast.stmt]] = defaultdict(list)
    of_mypy: dict[tuple[type, int], list[Statement]] = defaultdict(list)
    for node in nodes(source):
        if type(node) in KINDS and isinstance(node, ast.stmt):
            of_ast[KINDS[type(node)], node.lineno].append(node)
    for statement in statements:
        of_mypy[type(statement), statement.line].append(statement)
    for key, written in of_ast.items():
        if len(written) == len(of_mypy[key]):
            yield from zip(sorted(written, key=lambda node: node.col_offset), of_mypy[key], strict=True)


def _targets(written: Any, statement: Statement) -> Iterator[Target]:
    """The targets of one statement."""
    match statement:
        case AssignmentStmt(rvalue=value):
            for target in written.targets if isinstance(written, ast.Assign) else [written.target]:
                yield from _assigned_to(target, value)
        case ForStmt():
            yield from _assigned(written.target, lambda _: statement.inferred_item_type)
        case ReturnStmt(expr=Expression() as value):
            yield Target(written.value.lineno, written.value.col_offset, RETURN, _type_of(value))


def _assigned_to(target: ast.expr, value: Expression) -> Iterator[Target]:
    """The names in a target that is assigned the value of an expression; mypy looks at tuples item by item."""
    if isinstance(value, (TupleExpr, ListExpr)) and _items(target) is not None:
        starred = any(isinstance(item, StarExpr) for item in value.items)
        for item, inner in zip(_items(target) or (), () if starred else value.items, strict=False):
            yield from _assigned_to(item, inner)
    else:
        yield from _assigned(target, _type_of(value))


def _assigned(target: ast.expr, value: Find) -> Iterator[Target]:
    """The names in a target that is assigned what `value` finds."""
    if isinstance(target, ast.Name):
        yield Target(target.lineno, target.col_offset, target.id, value)
    items = _items(target) or []
    for i, item in enumerate(items):
        yield from _assigned(item, _item(value, i, len(items)))


def _items(target: ast.expr) -> list[ast.expr] | None:
    """The targets in a target; None if it has none, or as many as there are values."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        return None
    return None if any(isinstance(item, ast.Starred) for item in target.elts) else target.elts


def _type_of(expression: Expression) -> Find:
    return lambda types: types.get(expression)


def _item(value: Find, index: int, count: int) -> Find:
    """What finds an item of the tuple that `value` finds."""

    def find(types: Mapping[Expression, Type]) -> Type | None:
        typ = value(types)
        items = None if typ is None else tuple_items(typ)
        return items[index] if items is not None and len(items) == count else None

    return find
