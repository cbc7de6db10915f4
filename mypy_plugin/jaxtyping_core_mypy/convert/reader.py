"""Reads a call's arguments as values of the evaluation protocol, from how they are written."""

from __future__ import annotations

from typing import Any

from mypy.nodes import (
    GDEF,
    CallExpr,
    ComplexExpr,
    ConditionalExpr,
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    SliceExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
    Var,
)
from mypy.types import (
    AnyType,
    Instance,
    Type,
    get_proper_type,
)

from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.domain.values import (
    NONE,
    Anything,
    Complex,
    DType,
    List,
    Named,
    Scalar,
    Slice,
    Static,
    Tuple,
    Value,
)
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import is_array
from jaxtyping_core_mypy.convert.expressions import type_of
from jaxtyping_core_mypy.convert.typed import TypeReader, known
from jaxtyping_core_mypy.convert.unknown_kinds import NUMBERS, kinds_of_parts
from jaxtyping_core_mypy.convert.written_sizes import size_of


class Reader(TypeReader):
    """Reads one call's arguments as values of the evaluation protocol; None where one is not known."""

    def argument(self, expr: Expression, typ: Type) -> Value | None:
        """The value of an argument, from how it is written where that says more than its type."""
        if isinstance(expr, NameExpr) and is_array(typ):  # as most of them are
            return self.of_type(typ)
        if isinstance(expr, (TupleExpr, ListExpr)):
            return self._display(expr)
        if isinstance(expr, SliceExpr):
            return self._slice(expr)
        if isinstance(expr, FloatExpr):  # there are no literal types of floats
            return Static(expr.value)
        if isinstance(expr, ComplexExpr):
            return Complex(0.0, expr.value.imag)
        if isinstance(expr, UnaryExpr) and expr.op == "-":
            return self._negative(expr, typ)
        value: Value | None = None
        if isinstance(expr, RefExpr):
            value = self._reference(expr)
        if isinstance(expr, NameExpr) and _is_literal(self._bound(expr)):
            return self.item(self._bound(expr))
        if value is None and not is_array(typ):
            value = self._either_number(expr) or self.size(size_of(self, expr))
        return self.of_type(typ) if value is None else value

    def _either_number(self, expr: Expression) -> Value | None:
        """``max(n, 2.5)``, ``n if c else 2.5`` and ``[n, 2.5][i]`` of an int: to mypy a float, and perhaps the int."""
        match self._bound(expr):
            case CallExpr(callee=RefExpr(fullname="builtins.max" | "builtins.min"), args=parts):
                pass
            case ConditionalExpr(if_expr=one_way, else_expr=other_way):
                parts = [one_way, other_way]
            case IndexExpr(base=base):
                items = self._bound(base)
                parts = items.items if isinstance(items, (ListExpr, TupleExpr)) else []
            case _:
                return None
        types = [get_proper_type(type_of(self.api, part)) for part in parts]
        kinds = {typ.type.fullname for typ in types if isinstance(typ, Instance)}
        return Anything(NUMBERS) if kinds == {"builtins.int", "builtins.float"} else None

    def _bound(self, expr: Expression) -> Expression:
        """What a name was given, if it was given one value only; other expressions as they are."""
        binding = self.binding(expr) if isinstance(expr, NameExpr) else None
        is_whole = binding is not None and isinstance(binding[0], NameExpr)
        return binding[1] if binding is not None and is_whole else expr

    def binding(self, name: NameExpr) -> tuple[Expression, Expression] | None:
        """What a variable was given, as `ModuleFacts.only_value` has it, if it can have no other value here."""
        api: Any = self.api
        # Another module may assign to a variable of this one, at least once this one is loaded: not to what is named like a constant.
        is_settled = name.kind != GDEF or name.name.isupper() or api.scope.top_level_function() is None
        return self.facts.only_value(name) if is_settled else None

    def _reference(self, expr: RefExpr) -> Value | None:
        """A name that means more than its type: a dtype class, a function or constant of jax, ``x.dtype``."""
        if isinstance(expr, NameExpr) and self.facts.is_reassigned(expr):
            return None
        if isinstance(expr.node, TypeInfo):
            return self._dtype_of(expr.node)
        if isinstance(expr, MemberExpr) and expr.name in ("dtype", "shape"):
            return self._attribute(expr)
        if isinstance(expr, (NameExpr, MemberExpr)):
            dtype = self._numpy_dtype(expr.fullname)
            if dtype is not None:
                return dtype
            path = names.public_path(expr.fullname)
            # Enums and named tuples have values of their own.
            if path is not None and not (isinstance(expr.node, Var) and self._is_unset(expr.node)):
                return Named(path)
        return None

    @staticmethod
    def _is_unset(variable: Var) -> bool:
        """Whether a variable of JAX has no type that says what it is."""
        return isinstance(get_proper_type(variable.type), AnyType | None)

    def _attribute(self, expr: MemberExpr) -> Value | None:
        array = self.array_of(type_of(self.api, expr.expr))
        if array is None:
            return None
        if expr.name == "dtype" and array.dtype is not None:
            return DType(array.dtype)
        if expr.name == "shape" and array.shape is not None:
            items = known(self.size(dim) for dim in array.shape)
            return None if items is None else Tuple(tuple(items))
        return None

    def item(self, expr: Expression) -> Value | None:
        """The value of an expression that is a part of an argument."""
        if isinstance(expr, StarExpr):
            return None
        if isinstance(expr, (IntExpr, StrExpr)):  # mypy need not infer what is written there
            return Static(expr.value)
        return self.argument(expr, type_of(self.api, expr))

    def _display(self, expr: TupleExpr | ListExpr) -> Value | None:
        with self.expecting(kinds_of_parts(self.kinds)):
            items = known(map(self.item, expr.items))
        if items is None and self.kinds and "ints" in self.kinds:
            return Anything(("ints",))
        kind = Tuple if isinstance(expr, TupleExpr) else List
        return None if items is None else kind(tuple(items))

    def _slice(self, expr: SliceExpr) -> Value | None:
        parts = (expr.begin_index, expr.end_index, expr.stride)
        values = known(NONE if part is None else self._end(part) for part in parts)
        return None if values is None else Slice(*values)

    def _end(self, expr: Expression) -> Value | None:
        """Where a slice begins or ends: an array is asked for its number, which its type does not have."""
        value = self.item(expr)
        return Scalar("int") if isinstance(value, AbstractArray) else value

    def _negative(self, expr: UnaryExpr, typ: Type) -> Value | None:
        value = self.item(expr.expr)
        if isinstance(value, Static) and type(value.value) in (int, float):
            return Static(-value.value)  # type: ignore[operator]  # an int or a float
        if isinstance(value, Complex):
            return Complex(-value.real, -value.imag)
        return self.of_type(typ)


def _is_literal(expr: Expression) -> bool:
    """Whether an expression is a number or a text that is written out, or a tuple of such."""
    match expr:
        case IntExpr() | FloatExpr() | StrExpr():
            return True
        case UnaryExpr(op="-", expr=inner):
            return _is_literal(inner)
        case TupleExpr(items=items):
            return all(map(_is_literal, items))
    return False
