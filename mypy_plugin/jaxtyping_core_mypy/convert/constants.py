"""What expressions mean that say more than their types: names that are bound once, sizes, and arithmetic of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mypy.nodes import (
    ARG_POS,
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

from jaxtyping_core.domain.values import (
    NONE,
    Anything,
    Array,
    Items,
    Scalar,
    Size,
    Slice,
    Static,
    Tuple,
    Value,
)
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import is_array
from jaxtyping_core_mypy.convert.expressions import type_of
from jaxtyping_core_mypy.convert.typed import known
from jaxtyping_core_mypy.convert.unknown_kinds import NUMBERS
from jaxtyping_core_mypy.operator_table import BY_SYMBOL

if TYPE_CHECKING:
    from jaxtyping_core_mypy.convert.reader import Reader

#: The operators that are computed here: those that JAX's symbolic sizes have, and others of Python numbers.
ARITHMETIC = (*(symbol for symbol, operator in BY_SYMBOL.items() if operator.of_sizes), "**", "/")
MOST_EXPONENT = 64
MOST_ITEMS = 64
#: How far a name is followed to what it is bound to.
FARTHEST = 8
#: Attributes of arrays, and functions of Python, in whose types the plugin notes sizes.
SIZES = ("shape", "ndim", "size")
LEN = "builtins.len"


class Meaning:
    """Reads such expressions for a `Reader`."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def bound(self, name: NameExpr, depth: int = 0) -> Value | None:
        """What a name that is bound once is bound to."""
        binding = self.reader.facts.only_binding(self.reader.api, name)
        if binding is None or binding.value is None or not isinstance(name.node, Var):
            return None
        is_item = binding.is_part and self._type_of(name) == "builtins.float"
        number = self._item(binding.value) if is_item else self.number(binding.value)
        if number is not None:
            return number
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
        base = get_proper_type(type_of(self.reader.api, expr.base))
        if not isinstance(base, TupleType) and not _is_plain_tuple(base):
            return None
        whole, index = self.reader.argument(expr.base, base), self.reader.item(expr.index)
        if not isinstance(whole, Tuple):
            return None
        if isinstance(index, Static) and type(index.value) is int:
            inside = -len(whole.items) <= index.value < len(whole.items)
            return whole.items[index.value] if inside else None
        if isinstance(index, Slice):
            parts = (index.start, index.stop, index.step)
            bounds: list[Any] = [part.value for part in parts if isinstance(part, Static)]
            if len(bounds) == 3 and bounds[2] != 0:
                return Tuple(whole.items[slice(*bounds)])
        return None

    def _size(self, expr: IndexExpr, base: MemberExpr) -> Value | None:
        """``x.shape[0]``, of an array whose other sizes may be unknown."""
        array = self.reader.array_of(type_of(self.reader.api, base.expr))
        if array is None or array.shape is None:
            return None
        index = self.reader.item(expr.index)
        position = index.value if isinstance(index, Static) else None
        if type(position) is not int or not -len(array.shape) <= position < len(array.shape):
            return None
        return self.reader.size(array.shape[position])

    def builtin_call(self, expr: CallExpr) -> Value | None:
        """``len(x)``, ``slice(0, 2)`` and ``tuple(x)``."""
        name = expr.callee.fullname if isinstance(expr.callee, RefExpr) else None
        if name not in (LEN, "builtins.slice", "builtins.tuple"):
            return None
        args = known(self.reader.item(arg) for arg in expr.args)
        if args is None or not all(kind == ARG_POS for kind in expr.arg_kinds) or not 0 < len(args) < 4:
            return None
        if name == "builtins.slice":
            return Slice(NONE, args[0], NONE) if len(args) == 1 else Slice(*[*args, NONE][:3])
        value = args[0]
        if isinstance(value, Items):
            return Static(len(value.items)) if name == LEN else Tuple(value.items)
        if isinstance(value, Array) and value.shape and name == LEN:
            return self.reader.size(value.shape[0])
        return None

    def number(self, expr: Expression) -> Value | None:
        """``max(n, 2.5)``, ``n if c else 2.5`` and ``[n, 2.5][i]`` of an int: to mypy a float, and perhaps the int."""
        match expr:
            case CallExpr(callee=RefExpr(fullname="builtins.max" | "builtins.min"), args=parts):
                return self._either(parts)
            case ConditionalExpr():
                return self._either([expr.if_expr, expr.else_expr])
            case IndexExpr() if self._type_of(expr) == "builtins.float":
                return self._item(expr.base)
        return None

    def _item(self, expr: Expression) -> Value | None:
        """An item of ``[n, 2.5]``, which may have a name, in the same way."""
        if isinstance(expr, NameExpr):
            binding = self.reader.facts.only_binding(self.reader.api, expr)
            expr = expr if binding is None or binding.value is None or binding.is_part else binding.value
        items = expr.items if isinstance(expr, (ListExpr, TupleExpr)) else []
        return self._either([item for item in items if not isinstance(item, StarExpr)])

    def _either(self, parts: Sequence[Expression]) -> Value | None:
        kinds = set(map(self._type_of, parts))
        return Anything(NUMBERS) if {"builtins.int", "builtins.float"} == kinds - {None} else None

    def _type_of(self, expr: Expression) -> str | None:
        """The name of the class that an expression is of to mypy."""
        typ = get_proper_type(type_of(self.reader.api, expr))
        return typ.type.fullname if isinstance(typ, Instance) else None

    def arithmetic(self, expr: OpExpr) -> Value | None:
        """``b * t`` and ``3 * width`` of sizes; ``x.shape + (3,)`` and ``(2,) * 3`` of tuples of them."""
        left, right = self.reader.item(expr.left), self.reader.item(expr.right)
        if left is None or right is None:
            return None
        if isinstance(left, Tuple) or isinstance(right, Tuple):
            return _tuples(expr.op, left, right)
        if isinstance(left, Static) and isinstance(right, Static):
            return _number(expr.op, left.value, right.value)
        sizes = [_written(left), _written(right)]
        if isinstance(left, Size) and (expr.op == "/" or _is_float(right)):
            return Scalar("float")  # also of a power: a size is never negative
        template = BY_SYMBOL[expr.op].of_sizes
        return None if template is None or None in sizes else Size(template.format(*sizes))

    def is_made(self, expr: Expression) -> bool:
        """Whether the type of an expression comes from a hook of the plugin, with nothing in between."""
        match expr:
            case MemberExpr():  # of an array: an attribute of the program's may be assigned again
                return expr.name in SIZES and self._array(expr.expr) is not None
            case IndexExpr():
                index = expr.index.expr if isinstance(expr.index, UnaryExpr) else expr.index
                return isinstance(index, IntExpr) and self.is_made(expr.base)
            case CallExpr(callee=RefExpr(fullname=name)):
                return name == LEN or names.public_path(name) is not None
        return False

    def _array(self, expr: Expression) -> Array | None:
        """What is known of an array; None if it is none."""
        return self.reader.array_of(type_of(self.reader.api, expr))


def _written(size: Value) -> str | None:
    """A size in JAX's notation; None for what is none."""
    if isinstance(size, Size):
        return size.expression
    return str(size.value) if isinstance(size, Static) and type(size.value) is int else None


def _is_float(value: Value) -> bool:
    return isinstance(value, Static) and type(value.value) is float


def _number(op: str, left: Any, right: Any) -> Value | None:
    """The result of an operator between two numbers; None where there is none, or a huge or complex one."""
    if not {type(left), type(right)} <= {int, float} or (op == "**" and abs(right) > MOST_EXPONENT):
        return None
    try:
        result = BY_SYMBOL[op](left, right)
    except ArithmeticError:
        return None
    return Static(result) if type(result) in (int, float) else None


def _tuples(op: str, left: Value, right: Value) -> Value | None:
    """The result of an operator with a tuple."""
    if op == "+" and isinstance(left, Tuple) and isinstance(right, Tuple):
        return Tuple(left.items + right.items)
    if op == "*" and isinstance(left, Tuple) and isinstance(right, Static) and type(right.value) is int:
        return Tuple(left.items * right.value) if len(left.items) * right.value <= MOST_ITEMS else None
    return None


def _is_plain_tuple(typ: ProperType) -> bool:
    return isinstance(typ, Instance) and typ.type.fullname == "builtins.tuple"
