"""The shapes of NumPy's arrays where they are made, which NumPy's own stubs do not tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy.nodes import ARG_NAMED, ARG_POS, CallExpr, Expression, MemberExpr, NameExpr, RefExpr

from jaxtyping_core.domain.dims import Dim
from jaxtyping_core.domain.values import Items, Static, Value
from jaxtyping_core_mypy.convert.expressions import type_of
from jaxtyping_core_mypy.convert.numpy import is_numpy

if TYPE_CHECKING:
    from jaxtyping_core_mypy.convert.reader import Reader

#: Functions, and methods of NumPy's random generators, that take a shape: the keyword for it and its position.
SHAPED = {
    **dict.fromkeys(("zeros", "ones", "empty", "full"), ("shape", 0)),
    **dict.fromkeys(("standard_normal", "random", "random_sample", "standard_exponential"), ("size", 0)),
    **dict.fromkeys(("exponential", "poisson"), ("size", 1)),
    **dict.fromkeys(("normal", "uniform", "laplace", "randint", "integers", "binomial"), ("size", 2)),
}
#: ... and those whose arguments are the sizes.
OF_SIZES = ("randn", "rand")
#: Methods of arrays that keep the shape.
KEEPING = ("astype", "copy")
FARTHEST = 4


def numpy_dims(reader: Reader, expr: Expression, depth: int = 0) -> tuple[Dim, ...] | None:
    """The sizes of an array of NumPy that `expr` makes or names."""
    if depth > FARTHEST:
        return None
    if isinstance(expr, NameExpr):
        binding = reader.facts.only_binding(reader.api, expr)
        if binding is None or binding.value is None or binding.is_part:
            return None
        return numpy_dims(reader, binding.value, depth + 1)
    if not isinstance(expr, CallExpr) or not isinstance(expr.callee, RefExpr):
        return None
    name = expr.callee.name if isinstance(expr.callee, (NameExpr, MemberExpr)) else ""
    if isinstance(expr.callee, MemberExpr) and name in KEEPING:
        return numpy_dims(reader, expr.callee.expr, depth + 1)
    if not is_numpy(type_of(reader.api, expr)):
        return None
    shape = _shape_argument(expr, name)
    if name in OF_SIZES and all(kind == ARG_POS for kind in expr.arg_kinds):
        return _sizes([reader.item(arg) for arg in expr.args])
    return None if shape is None else _dims(reader.item(shape))


def _shape_argument(call: CallExpr, name: str) -> Expression | None:
    keyword, position = SHAPED.get(name, ("", 0))
    for i, (arg, kind, written) in enumerate(zip(call.args, call.arg_kinds, call.arg_names, strict=True)):
        if keyword and ((kind == ARG_POS and i == position) or (kind == ARG_NAMED and written == keyword)):
            return arg
    return None


def _dims(shape: Value | None) -> tuple[Dim, ...] | None:
    """The sizes in a shape; one size alone is a shape too."""
    return _sizes(list(shape.items)) if isinstance(shape, Items) else _sizes([shape])


def _sizes(values: list[Value | None]) -> tuple[Dim, ...] | None:
    sizes = [value.value for value in values if isinstance(value, Static)]
    numbers = [size for size in sizes if type(size) is int and size >= 0]
    return tuple(numbers) if len(numbers) == len(values) else None
