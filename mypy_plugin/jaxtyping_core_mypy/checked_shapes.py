"""Calls of Chex that check shapes, such as ``chex.assert_equal_shape([x, y])``: after them dims may be equal that have several names."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from mypy.nodes import (
    CallExpr,
    Expression,
    ExpressionStmt,
    FuncDef,
    Import,
    ImportBase,
    ImportFrom,
    MemberExpr,
    NameExpr,
)

from jaxtyping_core_mypy.trees import statements_inside

#: The library.
CHEX = "chex"


def checks_in(function: FuncDef, imports: Sequence[ImportBase]) -> Iterator[ExpressionStmt]:
    """The statements of a function that check shapes, in a module with these imports."""
    written = _written(imports)
    for statement in statements_inside(function.body) if written else ():
        match statement:
            case ExpressionStmt(expr=CallExpr(callee=callee)) if _dotted(callee) in written:
                yield statement


def _written(imports: Sequence[ImportBase]) -> set[str]:
    """The functions as a module writes them."""
    written: set[str] = set()
    for node in imports:
        match node:
            case Import(ids=ids):
                modules = [name or module for module, name in ids if module == CHEX]
                written |= {f"{module}.{name}" for module in modules for name in _checks()}
            case ImportFrom(names=names) if node.id == CHEX:
                written |= {name or imported for imported, name in names if imported in _checks()}
    return written


@functools.cache
def _checks() -> frozenset[str]:
    """The functions, by their names in the library."""
    from jaxtyping_core.overlays.chex import OVERLAY  # which imports the engine's tables, for few programs

    return frozenset(path.removeprefix(f"{CHEX}.") for path in OVERLAY.checks)


def _dotted(expr: Expression) -> str:
    if isinstance(expr, MemberExpr):
        return f"{_dotted(expr.expr)}.{expr.name}"
    return expr.name if isinstance(expr, NameExpr) else ""
