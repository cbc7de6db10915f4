"""Dtypes in the place of a type: ``step: jnp.int32``. At run time `jnp.int32` is no class, and no value is one of it."""

from __future__ import annotations

from collections.abc import Iterator

from mypy.nodes import AssignmentStmt, ClassDef, FuncDef, Node
from mypy.types import AnyType, CallableType, Type, TypeOfAny, UnboundType, UnionType

from jaxtyping_core._annotations.scalars import ROWS
from jaxtyping_core_mypy import names

#: What holds values of the types in its brackets; elsewhere a dtype may be meant, as in ``Layer[jnp.float32]`` of a class of the program.
HOLDERS = frozenset({"Optional", "Union", "tuple", "Tuple", "list", "List", "dict", "Dict", "Sequence"})
#: The arrays of each dtype, by the full names of the classes in the stubs. Abstract ones are NumPy's classes, and may be meant.
ALIASES = {f"{names.SCALAR_TYPES}.{row.class_name}": row.alias for row in ROWS.values()}
#: What is known of a value that is annotated so.
OPEN = AnyType(TypeOfAny.from_error)


def is_of_values(written: UnboundType, statement: Node | None) -> bool:
    """Whether a statement declares values to be of the type `written`, which it has somewhere."""
    place = (written.name, written.line, written.column)
    return any(
        place == (part.name, part.line, part.column)
        for declared in _declared(statement)
        for part in _values(declared)
    )


def _declared(statement: Node | None) -> Iterator[Type]:
    if isinstance(statement, AssignmentStmt) and statement.unanalyzed_type is not None:
        yield statement.unanalyzed_type
    if isinstance(statement, FuncDef) and isinstance(statement.unanalyzed_type, CallableType):
        yield from (*statement.unanalyzed_type.arg_types, statement.unanalyzed_type.ret_type)
    if isinstance(statement, ClassDef):  # the fields of a NamedTuple are read with the class
        for field in statement.defs.body:
            if isinstance(field, AssignmentStmt):
                yield from _declared(field)


def _values(typ: Type) -> Iterator[UnboundType]:
    if isinstance(typ, UnionType):
        for item in typ.items:
            yield from _values(item)
    if isinstance(typ, UnboundType):
        yield typ
        if typ.name.rpartition(".")[2] in HOLDERS:
            for arg in typ.args:
                yield from _values(arg)
