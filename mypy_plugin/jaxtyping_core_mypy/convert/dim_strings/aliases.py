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
    MemberExpr,
    NameExpr,
    OpExpr,
    Statement,
    StrExpr,
    TupleExpr,
    TypeAliasStmt,
)

from jaxtyping_core_mypy.convert.dim_strings.written import is_dtype


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
            name, of_array = _dotted(base), _dotted(array)
            if name is not None and of_array is not None and is_dtype(imports, name):
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


def _dotted(expression: Expression) -> str | None:
    """A name as it is written; None for what is none."""
    match expression:
        case NameExpr(name=name):
            return name
        case MemberExpr(expr=whole, name=name):
            module = _dotted(whole)
            return None if module is None else f"{module}.{name}"
    return None
