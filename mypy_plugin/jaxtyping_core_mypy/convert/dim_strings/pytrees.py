"""jaxtyping's ``PyTree[Float[Array, "..."], "T"]``, which is anything to type checkers.

mypy refuses a name for one (``Params = PyTree[...]``: "not valid as a type"), and looks for a class ``T`` where a
function's annotation names the structure of a tree. Neither is a mistake: both work at run time, so
that a name gets the type that mypy has for `PyTree`, and the names of structures are left out, as a module is parsed.
"""

from __future__ import annotations

from collections.abc import Iterable

from mypy.nodes import (
    AssignmentStmt,
    ClassDef,
    Expression,
    FuncDef,
    ImportBase,
    ImportFrom,
    IndexExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    Statement,
)
from mypy.types import AnyType, CallableType, TypeOfAny, UnboundType

from jaxtyping_core_mypy.convert.annotations import parts

PYTREE = "PyTree"
#: The base of dtypes of a program's own, ``class Small(AbstractDtype)``, of whose texts mypy takes a name for a type.
OWN_DTYPE = "AbstractDtype"


def open_pytrees(statements: Iterable[Statement], imports: list[ImportBase]) -> None:
    """Have mypy accept the names that statements give to annotations of trees, and the names of their structures."""
    statements = list(statements)
    own = {cls.name for cls in statements if isinstance(cls, ClassDef) and _is_own_dtype(cls)}
    for statement in statements:
        if isinstance(statement, AssignmentStmt) and statement.unanalyzed_type is None:
            if all(isinstance(name, NameExpr) for name in statement.lvalues) and _is_tree(
                statement.rvalue, imports
            ):
                statement.type = statement.unanalyzed_type = AnyType(TypeOfAny.special_form)
        elif isinstance(statement, FuncDef) and isinstance(statement.unanalyzed_type, CallableType):
            signature = statement.unanalyzed_type
            written = [part for typ in (*signature.arg_types, signature.ret_type) for part in parts(typ)]
            for part in (part for part in written if isinstance(part, UnboundType) and len(part.args) > 1):
                if part.name in own or _names_trees(part.name, imports):
                    part.args = part.args[:1]


def _is_own_dtype(cls: ClassDef) -> bool:
    """Whether a class is one of jaxtyping's for dtypes."""
    return any(
        isinstance(base, (NameExpr, MemberExpr)) and base.name == OWN_DTYPE for base in cls.base_type_exprs
    )


def _is_tree(expression: Expression, imports: list[ImportBase]) -> bool:
    match expression:
        case NameExpr(name=name):
            return _names_trees(name, imports)
        case MemberExpr(expr=NameExpr(name=module), name=name):
            return _names_trees(f"{module}.{name}", imports)
        case IndexExpr(base=base):
            return _is_tree(base, imports)
        case OpExpr(op="|", left=left, right=right):
            return _is_tree(left, imports) or _is_tree(right, imports)
    return False


def _names_trees(written: str, imports: list[ImportBase]) -> bool:
    """Whether a name is `PyTree`, which a module imports: from jaxtyping, or from where its program has it."""
    module, _, name = written.rpartition(".")
    if module:
        return name == PYTREE
    names = [pair for node in imports if isinstance(node, ImportFrom) for pair in node.names]
    return any(original == PYTREE and name == (renamed or original) for original, renamed in names)
