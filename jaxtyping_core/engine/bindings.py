"""Which targets a part of a program binds, and to what: assignments, loops, comprehensions and ``with``."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets that a node binds, each with an expression: its value, an item of it, or what it gives when it is entered."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case (
            ast.AnnAssign(target=target, value=ast.expr() as value)
            | ast.AugAssign(target=target, value=value)
        ):
            yield target, value
        case ast.NamedExpr(target=name, value=value):
            yield name, value
        case ast.For(target=item, iter=iterable) | ast.AsyncFor(target=item, iter=iterable):
            yield item, iterable
        case ast.comprehension(target=item, iter=iterable):
            yield item, iterable
        case ast.withitem(optional_vars=ast.expr() as entered, context_expr=manager):
            yield entered, manager
