"""What expressions mean that say more than their types: names that are bound once, sizes, and arithmetic of them."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from mypy.nodes import (
    ARG_POS,
    CallExpr,
    ComplexExpr,
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SliceExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import Instance, ProperType, TupleType, Type, get_proper_type

from jaxtyping_core.evaluation.protocol import Value
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import ArrayType, is_array, read_array
from jaxtyping_core_mypy.convert.bindings import only_binding

if TYPE_CHECKING:
    from jaxtyping_core_mypy.convert.reader import Reader

#: Arithmetic of sizes, as JAX's symbolic expressions spell it.
ARITHMETIC = {
    "+": "({}) + ({})",
    "-": "({}) - ({})",
    "*": "({}) * ({})",
    "//": "floordiv({}, {})",
    "%": "mod({}, {})",
}
INTS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}
MOST_EXPONENT = 64
MOST_ITEMS = 64
#: How far a name is followed to what it is bound to.
FARTHEST = 8
#: Attributes of arrays, and functions of Python, in whose types the plugin notes sizes.
SIZES = ("shape", "ndim", "size")
OF_SIZES = ("builtins.len",)


class Meaning:
    """Reads such expressions for a `Reader`."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def bound(self, name: NameExpr, depth: int = 0) -> Value | None:
        """What a name that is bound once is bound to."""
        binding = only_binding(self.reader.api, name)
        if binding is None or binding.value is None or not isinstance(name.node, Var):
            return None
        if not binding.is_part and self._is_certain(binding.value, depth):
            return self.reader.item(binding.value)
        if name.node.type is None or binding.repeated or not self.is_made(binding.value):
            return None
        return self.reader.of_type(name.node.type, made=True)

    def _is_certain(self, expr: Expression, depth: int) -> bool:
        """Whether an expression means the same wherever it is read: literals, and names of such, and sizes."""
        if depth > FARTHEST:
            return False

        def certain(*parts: Expression | None) -> bool:
            return all(part is None or self._is_certain(part, depth + 1) for part in parts)

        match expr:
            case IntExpr() | FloatExpr() | ComplexExpr() | StrExpr():
                return True
            case NameExpr():
                constant = expr.fullname in ("builtins.True", "builtins.False", "builtins.None")
                return constant or self.bound(expr, depth + 1) is not None
            case UnaryExpr() | StarExpr():
                return certain(expr.expr)
            case OpExpr():
                return certain(expr.left, expr.right)
            case TupleExpr():
                return certain(*expr.items)
            case IndexExpr():
                return certain(expr.base, expr.index)
            case SliceExpr():
                return certain(expr.begin_index, expr.end_index, expr.stride)
            case CallExpr(callee=RefExpr(fullname="builtins.slice")):
                return certain(*expr.args)
        return False

    def part(self, expr: IndexExpr, typ: Type) -> Value | None:
        """``x.shape[0]`` and ``shape[1:]``: a part of a tuple."""
        if is_array(typ) or not isinstance(expr.base, (MemberExpr, NameExpr, IndexExpr, OpExpr)):
            return None
        if isinstance(expr.base, MemberExpr) and expr.base.name == "shape":
            size = self._size(expr, expr.base)
            if size is not None:
                return size
        base = get_proper_type(self.reader.api.get_expression_type(expr.base))
        if not isinstance(base, TupleType) and not _is_plain_tuple(base):
            return None
        whole, index = self.reader.argument(expr.base, base), self.reader.item(expr.index)
        if whole is None or whole[0] != "tuple" or index is None:
            return None
        items = whole[1]
        if index[0] == "static" and type(index[1]) is int and -len(items) <= index[1] < len(items):
            item: Value = items[index[1]]
            return item
        if index[0] == "slice" and all(part[0] == "static" for part in index[1:]) and index[3][1] != 0:
            return ["tuple", items[slice(*(part[1] for part in index[1:]))]]
        return None

    def _size(self, expr: IndexExpr, base: MemberExpr) -> Value | None:
        """``x.shape[0]``, of an array whose other sizes may be unknown."""
        array = read_array(self.reader.api.get_expression_type(base.expr), self.reader.symbols)
        if array is None or array.dims is None:
            return None
        index = self.reader.item(expr.index)
        position = index[1] if index is not None and index[0] == "static" else None
        if type(position) is not int or not -len(array.dims) <= position < len(array.dims):
            return None
        return self.reader.size(array.dims[position])

    def builtin_call(self, expr: CallExpr) -> Value | None:
        """``len(x)`` and ``slice(0, 2)``."""
        name = expr.callee.fullname if isinstance(expr.callee, RefExpr) else None
        if name not in ("builtins.len", "builtins.slice", "builtins.tuple"):
            return None
        args = [self.reader.item(arg) for arg in expr.args]
        if None in args or not all(kind == ARG_POS for kind in expr.arg_kinds) or not 0 < len(args) < 4:
            return None
        none: Value = ["static", None]
        if name == "builtins.slice":
            return ["slice", *(none, args[0], none)] if len(args) == 1 else ["slice", *args, none][:4]
        (value,) = args[:1]
        if value is not None and value[0] in ("tuple", "list"):
            return ["static", len(value[1])] if name == "builtins.len" else ["tuple", value[1]]
        if value is not None and value[0] == "array" and value[3] and name == "builtins.len":
            return self.reader.size(value[3][0])
        return None

    def arithmetic(self, expr: OpExpr) -> Value | None:
        """``b * t`` and ``3 * width`` of sizes; ``x.shape + (3,)`` and ``(2,) * 3`` of tuples of them."""
        left, right = self.reader.item(expr.left), self.reader.item(expr.right)
        if left is None or right is None:
            return None
        if "tuple" in (left[0], right[0]):
            return _tuples(expr.op, left, right)
        if {left[0], right[0]} - {"static", "dim"}:
            return None
        if any(value[0] == "static" and type(value[1]) is not int for value in (left, right)):
            return None
        if left[0] == right[0] == "static":
            return _number(expr.op, left[1], right[1])
        return ["dim", ARITHMETIC[expr.op].format(left[1], right[1])] if expr.op in ARITHMETIC else None

    def is_made(self, expr: Expression) -> bool:
        """Whether the type of an expression comes from a hook of the plugin, with nothing in between."""
        match expr:
            case MemberExpr():  # of an array: an attribute of the program's may be assigned again
                return expr.name in SIZES and self._array(expr.expr) is not None
            case IndexExpr():
                index = expr.index.expr if isinstance(expr.index, UnaryExpr) else expr.index
                return isinstance(index, IntExpr) and self.is_made(expr.base)
            case CallExpr(callee=RefExpr(fullname=name)):
                return name in OF_SIZES or names.public_path(name) is not None
            case CallExpr(callee=CallExpr() as inner):
                return self.is_made(inner)
        return False

    def _array(self, expr: Expression) -> ArrayType | None:
        """What is known of an array; None if it is none."""
        typ = self.reader.api.lookup_type_or_none(expr)  # type: ignore[attr-defined]  # the checker's
        return read_array(typ or self.reader.api.get_expression_type(expr), self.reader.symbols)


def _number(op: str, left: int, right: int) -> Value | None:
    """The result of an operator between two ints; None where it is no int or a huge one."""
    if (op in ("//", "%") and right == 0) or (op == "**" and not 0 <= right <= MOST_EXPONENT):
        return None
    return ["static", INTS[op](left, right)]


def _tuples(op: str, left: Value, right: Value) -> Value | None:
    """The result of an operator with a tuple."""
    if op == "+" and left[0] == right[0] == "tuple":
        return ["tuple", left[1] + right[1]]
    if op == "*" and left[0] == "tuple" and right[0] == "static" and type(right[1]) is int:
        return ["tuple", left[1] * right[1]] if len(left[1]) * right[1] <= MOST_ITEMS else None
    return None


def _is_plain_tuple(typ: ProperType) -> bool:
    return isinstance(typ, Instance) and typ.type.fullname == "builtins.tuple"
