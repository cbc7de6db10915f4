"""Operators of arrays: dtypes by the promotion lattice, shapes by broadcasting.

``+``, ``-``, ``*`` and comparisons need no JAX. The other elementwise operators have promotion rules of
their own (``int8 / int8`` is float32, ``bool ** bool`` is int32): JAX is asked once for each pair of
dtypes, on scalars, whatever the shapes are. ``@`` is an ordinary function call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    NameExpr,
    OpExpr,
)

from jaxtyping_core.domain.dims import Dim
from jaxtyping_core.domain.values import Anything, Array, Complex, Scalar, Size, Static, Value
from jaxtyping_core.dtypes import PYTHON_SCALARS
from jaxtyping_core.errors import PromotionError
from jaxtyping_core.promotion import join
from jaxtyping_core_mypy import errors, names
from jaxtyping_core_mypy.convert import (
    Type,
    is_array,
    is_numpy_integer,
    is_unknown,
    node_of,
    read_numpy,
    split_weak,
    union_items,
    union_of,
)
from jaxtyping_core_mypy.operator_table import METHODS, Operator
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.spelling import describe, spell_value

#: The operators of a NumPy array that meet an array of JAX on their right.
OF_NUMPY = frozenset(method for method, (_, swapped) in METHODS.items() if not swapped)
#: ... and on their left: mypy asks them where the array itself refuses.
REFLECTED = frozenset(method for method, (_, swapped) in METHODS.items() if swapped)
#: The dtypes and weak types of Python scalars, by the names of their types.
_NODES = {kind.__name__: node for kind, node in PYTHON_SCALARS.items()}


class Mismatch(NamedTuple):
    """Two sizes that do not broadcast, at an axis counted from the end."""

    axis: int
    left: Dim
    right: Dim


class Operand(NamedTuple):
    """An operand: what is known of it as an array, and its value where it is a Python scalar."""

    array: Array
    scalar: Value | None

    def describe(self) -> str:
        """As users read it."""
        return describe(self.array) if self.scalar is None else spell_value(self.scalar)


def of_array(site: Site, method: str) -> Type:
    """The hook of an operator's method of an array."""
    operator, swapped = METHODS[method]
    if operator.rule == "call" or site.system != "jax":
        return _evaluated(site, operator, swapped)
    if operator.rule != "compare" and is_unknown(site.ctx.type):  # nor is anything of the result
        return site.default
    own = site.reader.array_of(site.ctx.type)
    if own is None:
        return site.default

    def result(other: Operand) -> Type:
        left, right = (other, Operand(own, None)) if swapped else (Operand(own, None), other)
        return _elementwise(site, operator, left, right)

    numbers = _several_numbers(site, swapped)
    if numbers:
        return _in_common(result, numbers)
    other = _operand(site, site.ctx.args[0][0], site.ctx.arg_types[0][0])
    if operator.name == "pow" and not swapped and is_numpy_integer(site.ctx.arg_types[0][0]):
        other = Operand(
            Array.of("int32", True, ()), Scalar("int")
        )  # a concrete exponent, of which only the kind counts
    return _of_members(site, result) if other is None else result(other)


def by_union(site: Site, method: str) -> Type:
    """The hook of ``x * y`` where `y` is one of several arrays: mypy asks for ``__rmul__`` of all of them at once."""
    operator, _ = METHODS[method]
    left = _operand(site, site.ctx.args[0][0], site.ctx.arg_types[0][0])
    members = [_operand_of_type(site, item) for item in union_items(site.ctx.type)]
    right = [member for member in members if member is not None]
    if left is None or len(right) < len(members) or operator.rule == "call" or site.system != "jax":
        return site.default
    with site.api.msg.filter_errors():
        return union_of([_elementwise(site, operator, left, member) for member in right])


def of_numpy(site: Site, method: str) -> Type:
    """The hook of an operator of a NumPy array: with an array of JAX on the other side, JAX computes it."""
    if not is_array(site.ctx.arg_types[0][0]):
        return site.default
    operator, swapped = METHODS[method]
    if operator.rule == "call" or site.system != "jax":
        return _evaluated(site, operator, swapped)
    own = read_numpy(site.ctx.type, site.reader.symbols, site.engine.x64)
    other = _operand(site, site.ctx.args[0][0], site.ctx.arg_types[0][0])
    if own is None or other is None:
        return site.writer.array(UNKNOWN_ARRAY)
    operand = Operand(replace(own, layer=other.array.layer), None)  # which decides, on either side of NumPy's
    left, right = (other, operand) if swapped else (operand, other)
    return _elementwise(site, operator, left, right)


UNKNOWN_ARRAY = Array.of(None, False, None)


def _of_members(site: Site, result: Callable[[Operand], Type]) -> Type:
    """The union of the results for the members of a union such as ``Array | float``, if all are known.

    What JAX refuses of them is no error: the program may never come to it.
    """
    items = union_items(site.ctx.arg_types[0][0])
    operands = [_operand_of_type(site, item) for item in items]
    known = [operand for operand in operands if operand is not None]
    if not known or len(known) < len(operands):
        return site.default
    with site.api.msg.filter_errors():
        return union_of([result(operand) for operand in known])


def _several_numbers(site: Site, swapped: bool) -> list[Operand]:
    """The Python numbers that the other operand may be, where its type is one of several: ``max(n, 2.5)``."""
    expr, whole = site.ctx.args[0][0], site.ctx.context
    if swapped and isinstance(whole, OpExpr):  # mypy passes but the type of it
        expr = whole.left
    if not isinstance(expr, (NameExpr, CallExpr, ConditionalExpr, IndexExpr)) or is_array(
        site.ctx.arg_types[0][0]
    ):
        return []
    value = site.reader.argument(expr, site.ctx.arg_types[0][0])
    kinds = value.kinds if isinstance(value, Anything) else ()
    operands = [_scalar_operand(Scalar(kind)) for kind in kinds if kind in _NODES]
    return [operand for operand in operands if operand is not None]


def _in_common(result: Callable[[Operand], Type], numbers: list[Operand]) -> Type:
    """The result for whichever number it is: the dtype is open where it depends on that."""
    first, *others = map(result, numbers)
    return (
        first if all(first == other for other in others) else result(Operand(Array.of(None, False, ()), None))
    )


def _evaluated(site: Site, operator: Operator, swapped: bool) -> Type:
    """The result of an operator that JAX is asked for as a whole."""
    own = site.reader.of_type(site.ctx.type)
    other = site.reader.argument(site.ctx.args[0][0], site.ctx.arg_types[0][0])
    # Where the stub gives no array, it is NumPy's own answer.
    default = site.default if is_array(site.default) else site.writer.array(UNKNOWN_ARRAY)
    if own is None or other is None:
        return default
    operands = [other, own] if swapped else [own, other]
    answer = site.ask(operator.function, operands)
    if answer.result is not None:
        return site.writer.value(answer.result, default)
    if answer.error is not None:
        left, right = map(spell_value, operands)
        site.fail(_refusal(operator, left, right, answer.error), errors.BY_KIND[str(answer.kind)])
    return default


def _operand(site: Site, expr: Expression, typ: Type) -> Operand | None:
    if isinstance(expr, (IntExpr, FloatExpr)):
        return _scalar_operand(Static(expr.value))
    array = site.reader.operand_of(typ)
    value = site.reader.argument(expr, typ) if array is None else array
    return Operand(value, None) if isinstance(value, Array) else _scalar_operand(value)


def _operand_of_type(site: Site, typ: Type) -> Operand | None:
    array = site.reader.operand_of(typ)
    return _scalar_operand(site.reader.of_type(typ)) if array is None else Operand(array, None)


def _scalar_operand(value: Value | None) -> Operand | None:
    kind = _scalar_kind(value)
    # Weak dtypes do not depend on the mode: `node_of` gives the node back.
    return None if kind is None else Operand(Array.of(*split_weak(_NODES[kind], x64=False), ()), value)


def _scalar_kind(value: Value | None) -> str | None:
    """The builtin type of a Python scalar; None for every other value."""
    match value:
        case Scalar():
            return value.kind
        case Size():
            return "int"
        case Complex():
            return "complex"
        case Static() if type(value.value) in PYTHON_SCALARS:
            return type(value.value).__name__
    return None


def _elementwise(site: Site, operator: Operator, left: Operand, right: Operand) -> Type:
    dims = broadcast(left.array.shape, right.array.shape)
    if isinstance(dims, Mismatch):
        message = errors.BROADCAST.format(
            symbol=operator.symbol,
            left=left.describe(),
            right=right.describe(),
            axis=dims.axis,
            a=dims.left,
            b=dims.right,
        )
        site.fail(message, errors.ARRAY_SHAPE)
        return site.default
    dtype, problem = result_dtype(site, operator, left, right)
    if problem is not None:
        message = _refusal(operator, left.describe(), right.describe(), problem)
        site.fail(message, errors.ARRAY_DTYPE)
        return site.default
    # On the left of an array of the layer, one of JAX decides; a Python scalar does not.
    layer = left.array.layer or (right.array.layer and left.scalar is not None)
    return site.writer.array(Array.of(*split_weak(dtype, site.engine.x64), dims, layer))


def result_dtype(
    site: Site, operator: Operator, left: Operand, right: Operand
) -> tuple[str | None, str | None]:
    """The dtype or weak type of the result, None where it is unknown; and why JAX refuses the operands, if it does."""
    a, b = node_of(left.array), node_of(right.array)
    if a is None or b is None:
        return ("bool" if operator.rule == "compare" else None), None
    is_key = names.KEY in (a, b)
    if operator.rule == "evaluate" or (operator.symbol == "-" and a == b == "bool") or is_key:
        return _evaluated_dtype(site, operator, left, right)
    try:
        system = "jax" if left.array.layer or right.array.layer else site.engine.system
        joined = join(a, b, system=system, x64=site.engine.x64)
    except PromotionError as error:
        return None, str(error)
    return ("bool" if operator.rule == "compare" else joined), None


def _evaluated_dtype(
    site: Site, operator: Operator, left: Operand, right: Operand
) -> tuple[str | None, str | None]:
    answer = site.ask(operator.function, [_scalar(operand) for operand in (left, right)])
    node = node_of(answer.result) if isinstance(answer.result, Array) else None
    return node, answer.error


def _scalar(operand: Operand) -> Value:
    """An operand for which only its dtype matters."""
    if operand.scalar is None:
        # Of a power, the value of an exponent without dims may decide: JAX promotes others.
        return replace(operand.array, shape=(1,) if operand.array.shape else ())
    return Scalar("int") if isinstance(operand.scalar, Size) else operand.scalar


def broadcast(
    left: tuple[Dim, ...] | None, right: tuple[Dim, ...] | None
) -> tuple[Dim, ...] | Mismatch | None:
    """The shape of an elementwise result: None for unknown rank, or the sizes that do not fit.

    A size is certain to stay only if it is known on both sides, or known not to be 1 on one of them: an
    unknown size against 3 gives 3, an unknown size against a symbol may be anything.
    """
    if left is None or right is None:
        return None
    rank = max(len(left), len(right))
    padded = [(*(1,) * (rank - len(dims)), *dims) for dims in (left, right)]
    result: list[Dim] = []
    for axis, (a, b) in enumerate(zip(*padded, strict=True)):
        dim = _broadcast_dim(a, b)
        if dim is _MISMATCH:
            return Mismatch(axis - rank, a, b)
        result.append(dim)
    return tuple(result)


_MISMATCH = "mismatch of two sizes"


def _broadcast_dim(a: Dim, b: Dim) -> Dim:
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    if a is None or b is None:
        known = b if a is None else a
        return known if isinstance(known, int) else None
    # Two symbolic expressions may be equal though they are written differently (B*D and D*B): say nothing.
    compound = any(isinstance(dim, str) and not dim.isidentifier() for dim in (a, b))
    return None if compound else _MISMATCH


def _refusal(operator: Operator, left: str, right: str, reason: str) -> str:
    return errors.OPERATOR.format(
        left=left, symbol=operator.symbol, right=right, reason=errors.sentence(reason)
    )
