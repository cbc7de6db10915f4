"""What annotations say, whatever mypy's types of them can hold: their dims are texts here.

mypy's types leave open the dims of NumPy's arrays, of what a body compares, and of fields. A walk through a body knows what
all of them are.
"""

from __future__ import annotations

from typing import Any

from mypy.nodes import AssignmentStmt, FuncDef, NameExpr, TypeInfo
from mypy.types import CallableType, TupleType, Type, UnboundType, UnionType, get_proper_type


class Texts:
    """The annotations of the classes and the functions that mypy has read in this run."""

    def __init__(self) -> None:
        self._fields: dict[str, dict[str, Type]] = {}
        #: By the function, and the line and column of the annotation.
        self._parts: dict[str, dict[tuple[int, int], Type]] = {}

    def keep(self, api: Any, written: Type, said: Type) -> None:
        """Remember what the annotation `written` says, if it is a part of a function's or all of a field's."""
        statement, cls = api.statement, api.type
        if isinstance(statement, FuncDef):
            self._parts.setdefault(statement.fullname, {})[written.line, written.column] = said
        elif cls is not None and not api.function_stack and isinstance(statement, AssignmentStmt):
            target = statement.lvalues[0]
            if statement.unanalyzed_type is written and isinstance(target, NameExpr):
                self._fields.setdefault(cls.fullname, {})[target.name] = said

    def fields(self, cls: TypeInfo) -> dict[str, Type]:
        """The fields of a class that texts say something of."""
        return self._fields.get(cls.fullname, {})

    def signature(self, function: FuncDef) -> CallableType | None:
        """The signature of a function, with the texts where they say all of a part of it."""
        written, analyzed = function.unanalyzed_type, get_proper_type(function.type)
        if not isinstance(analyzed, CallableType):
            return None
        parts = self._parts.get(function.fullname)
        if parts is None or not isinstance(written, CallableType):
            return analyzed
        pairs = zip(written.arg_types, analyzed.arg_types, strict=True)
        return analyzed.copy_modified(
            arg_types=[_with_texts(*pair, parts) for pair in pairs],
            ret_type=_with_texts(written.ret_type, analyzed.ret_type, parts),
        )


def _with_texts(written: Type, analyzed: Type, parts: dict[tuple[int, int], Type]) -> Type:
    """A type, with what texts say in it where its structure is that of its annotation."""
    if isinstance(written, UnboundType) and (written.line, written.column) in parts:
        return parts[written.line, written.column]
    proper = get_proper_type(analyzed)
    inner = written.args if isinstance(written, UnboundType) else ()
    if isinstance(proper, TupleType) and len(inner) == len(proper.items):
        items = [_with_texts(*pair, parts) for pair in zip(inner, proper.items, strict=True)]
        return proper.copy_modified(items=items)
    if (
        isinstance(written, UnionType)
        and isinstance(proper, UnionType)
        and len(written.items) == len(proper.items)
    ):
        return UnionType(
            [_with_texts(*pair, parts) for pair in zip(written.items, proper.items, strict=True)]
        )
    return analyzed
