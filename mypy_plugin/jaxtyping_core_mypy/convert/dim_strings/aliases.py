"""Names for jaxtyping's annotations: ``Batch = Float[Array, "b n"]``.

mypy drops the text of such an annotation where an expression gives it a name. It does not where the annotation stands in
quotes, so each is put in quotes when its module has been parsed.
"""

from __future__ import annotations

from collections.abc import Iterable

from mypy.nodes import (
    AssignmentStmt,
    Expression,
    ImportBase,
    IndexExpr,
    NameExpr,
    OpExpr,
    Statement,
    StrExpr,
    TupleExpr,
    TypeAliasStmt,
)

from jaxtyping_core_mypy.convert.dim_strings.written import dotted, is_dtype


def keep_texts(statements: Iterable[Statement], imports: list[ImportBase]) -> None:
    """Put the annotations in quotes to which statements give names."""
    for statement in statements:
        if isinstance(statement, AssignmentStmt) and all(
            isinstance(name, NameExpr) for name in statement.lvalues
        ):
            _keep(statement.rvalue, imports)
        elif isinstance(statement, TypeAliasStmt):
            _keep(statement.value.expr(), imports)


def _keep(expression: Expression | None, imports: list[ImportBase]) -> None:
    match expression:
        case IndexExpr(base=base, index=TupleExpr(items=[array, StrExpr(value=axes)]) as index):
            name, of_array = dotted(base), dotted(array)
            if name and of_array and is_dtype(imports, name):
                quoted = StrExpr(f"{name}[{of_array}, {axes!r}]")
                quoted.set_line(array)
                index.items[0] = quoted
        case IndexExpr(index=TupleExpr(items=items)):
            for item in items:
                _keep(item, imports)
        case IndexExpr(index=item):
            _keep(item, imports)
        case OpExpr(op="|", left=left, right=right):
            _keep(left, imports)
            _keep(right, imports)
