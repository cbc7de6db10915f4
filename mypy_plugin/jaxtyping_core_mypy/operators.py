"""Operators of arrays: dtypes by the promotion lattice, shapes by broadcasting.

``+``, ``-``, ``*`` and comparisons need no JAX. The other elementwise operators have promotion rules of
their own (``int8 / int8`` is float32, ``bool ** bool`` is int32): JAX is asked once for each pair of
dtypes, on scalars, whatever the shapes are. ``@`` is an ordinary function call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from mypy.nodes import Expression, FloatExpr, IntExpr
from mypy.plugin import MethodContext
from mypy.typeops import make_simplified_union
from mypy.types import Type, UnionType, get_proper_type

from jaxtyping_core.errors import PromotionError
from jaxtyping_core.evaluation.protocol import Value
from jaxtyping_core.promotion import join
from jaxtyping_core_mypy import alternatives, errors, names, reports
from jaxtyping_core_mypy.convert import (
    ArrayType,
    Dim,
    Reader,
    is_array,
    is_unknown,
    read_array,
    read_numpy,
    split_weak,
    weak_name,
)
from jaxtyping_core_mypy.engine import Engine
from jaxtyping_core_mypy.spelling import spell_value

WEAK_OF_SCALAR = {"bool": "bool", "int": "weak_int", "float": "weak_float", "complex": "weak_complex"}


class Operator(NamedTuple):
    """How an operator's result dtype is found: `rule` is "join", "compare" or "evaluate"."""

    symbol: str
    function: str
    rule: str


_OPERATORS = {
    "add": Operator("+", "operator.add", "join"),
    "sub": Operator("-", "operator.sub", "join"),
    "mul": Operator("*", "operator.mul", "join"),
    "truediv": Operator("/", "operator.truediv", "evaluate"),
    "floordiv": Operator("//", "operator.floordiv", "evaluate"),
    "mod": Operator("%", "operator.mod", "evaluate"),
    "pow": Operator("**", "operator.pow", "evaluate"),
    "and": Operator("&", "operator.and_", "evaluate"),
    "or": Operator("|", "operator.or_", "evaluate"),
    "xor": Operator("^", "operator.xor", "evaluate"),
    "lshift": Operator("<<", "operator.lshift", "evaluate"),
    "rshift": Operator(">>", "operator.rshift", "evaluate"),
}
_COMPARISONS = {
    name: Operator(symbol, f"operator.{name}", "compare")
    for name, symbol in {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}.items()
}
#: Every elementwise dunder method, with whether its operands are swapped.
ELEMENTWISE: dict[str, tuple[Operator, bool]] = {
    **{f"__{name}__": (op, False) for name, op in (_OPERATORS | _COMPARISONS).items()},
    **{f"__r{name}__": (op, True) for name, op in _OPERATORS.items()},
}
MATMUL = {"__matmul__": False, "__rmatmul__": True}
#: The operators of a NumPy array that meet an array of JAX on their right.
OF_NUMPY = frozenset(method for method, (_, swapped) in ELEMENTWISE.items() if not swapped) | {"__matmul__"}
#: ... and on their left: mypy asks them where the array itself refuses.
REFLECTED = frozenset(method for method, (_, swapped) in ELEMENTWISE.items() if swapped) | {"__rmatmul__"}


class Mismatch(NamedTuple):
    """Two sizes that do not broadcast, at an axis counted from the end."""

    axis: int
    left: Dim
    right: Dim


def operator_callback(engine: Engine, method: str) -> Callable[[MethodContext], Type]:
    """The hook of the elementwise dunder `method`."""
    operator, swapped = ELEMENTWISE[method]

    def callback(ctx: MethodContext) -> Type:
        if engine.of_layer != "jax":
            return _evaluated(ctx, engine, operator.symbol, operator.function, swapped)
        if operator.rule != "compare" and is_unknown(ctx.type):  # nor is anything of the result
            return ctx.default_return_type
        reader = Reader(ctx.api, engine.x64)
        own = read_array(ctx.type, reader.symbols)
        if own is None:
            return ctx.default_return_type

        def result(other: Operand) -> Type:
            left, right = (other, (own, None)) if swapped else ((own, None), other)
            return _elementwise(ctx, reader, engine, operator, left, right)

        other = _operand(reader, ctx.args[0][0], ctx.arg_types[0][0])
        return _of_members(ctx, reader, result) if other is None else result(other)

    return callback


def _of_members(ctx: MethodContext, reader: Reader, result: Callable[[Operand], Type]) -> Type:
    """The union of the results for the members of a union such as ``Array | float``, if all are known.

    What JAX refuses of them is no error: the program may never come to it.
    """
    union = get_proper_type(ctx.arg_types[0][0])
    items = union.items if isinstance(union, UnionType) else []
    operands = [_operand_of_type(reader, item) for item in items]
    known = [operand for operand in operands if operand is not None]
    if not known or len(known) < len(operands):
        return ctx.default_return_type
    with ctx.api.msg.filter_errors():
        return make_simplified_union([result(operand) for operand in known])


def matmul_callback(engine: Engine, method: str) -> Callable[[MethodContext], Type]:
    """The hook of ``@`` and of its reflection."""
    return lambda ctx: _evaluated(ctx, engine, "@", "operator.matmul", MATMUL[method])


def _evaluated(ctx: MethodContext, engine: Engine, symbol: str, function: str, swapped: bool) -> Type:
    """The result of an operator that JAX is asked for as a whole."""
    reader = Reader(ctx.api, engine.x64)
    own = reader.of_type(ctx.type)
    other = reader.argument(ctx.args[0][0], ctx.arg_types[0][0])
    default = ctx.default_return_type
    if own is None or other is None:
        return default if is_array(default) else engine.writer(reader).array(ArrayType(None, None))
    operands = [other, own] if swapped else [own, other]
    answer = alternatives.ask(engine, function, operands)
    if not is_array(default):  # NumPy's own answer
        default = engine.writer(reader).array(ArrayType(None, None))
    if answer.result is not None:
        return engine.writer(reader).value(answer.result, default)
    if answer.error is not None:
        left, right = map(spell_value, operands)
        message = _refusal(symbol, left, right, answer.error)
        reports.fail(ctx, message, errors.BY_KIND[str(answer.kind)])
    return default


def numpy_callback(engine: Engine, method: str) -> Callable[[MethodContext], Type]:
    """The hook of an operator of a NumPy array: with an array of JAX on the other side, JAX computes it."""

    def callback(ctx: MethodContext) -> Type:
        if not is_array(ctx.arg_types[0][0]):
            return ctx.default_return_type
        swapped = method in REFLECTED
        if method in MATMUL:
            return _evaluated(ctx, engine, "@", "operator.matmul", swapped)
        operator = ELEMENTWISE[method][0]
        if engine.of_layer != "jax":
            return _evaluated(ctx, engine, operator.symbol, operator.function, swapped)
        reader = Reader(ctx.api, engine.x64)
        own = read_numpy(ctx.type, reader.symbols, engine.x64)
        other = _operand(reader, ctx.args[0][0], ctx.arg_types[0][0])
        if own is None or other is None:
            return engine.writer(reader).array(ArrayType(None, None))
        own = own._replace(layer=other[0].layer)  # which decides, on either side of NumPy's
        left, right = (other, (own, None)) if swapped else ((own, None), other)
        return _elementwise(ctx, reader, engine, operator, left, right)

    return callback


#: An operand: what is known of it as an array, and its value where it is a Python scalar.
Operand = tuple[ArrayType, Value | None]


def _operand(reader: Reader, expr: Expression, typ: Type) -> Operand | None:
    if isinstance(expr, (IntExpr, FloatExpr)):
        return _scalar_operand(["static", expr.value])
    array = reader.array(expr, typ)
    return (array, None) if array is not None else _scalar_operand(reader.argument(expr, typ))


def _operand_of_type(reader: Reader, typ: Type) -> Operand | None:
    array = read_array(typ, reader.symbols) or read_numpy(typ, reader.symbols, reader.x64)
    return (array, None) if array is not None else _scalar_operand(reader.of_type(typ))


def _scalar_operand(value: Value | None) -> Operand | None:
    kind = None if value is None else _scalar_kind(value)
    return None if kind is None else (ArrayType(WEAK_OF_SCALAR[kind], ()), value)


def _scalar_kind(value: Value) -> str | None:
    """The builtin type of a Python scalar; None for every other value."""
    if value[0] == "scalar":
        return str(value[1])
    if value[0] == "dim":
        return "int"
    if value[0] == "complex":
        return "complex"
    kind = type(value[1]).__name__ if value[0] == "static" else None
    return kind if kind in WEAK_OF_SCALAR else None


def _elementwise(
    ctx: MethodContext, reader: Reader, engine: Engine, operator: Operator, left: Operand, right: Operand
) -> Type:
    dims = broadcast(left[0].dims, right[0].dims)
    if isinstance(dims, Mismatch):
        message = errors.BROADCAST.format(
            symbol=operator.symbol,
            left=_describe(left),
            right=_describe(right),
            axis=dims.axis,
            a=dims.left,
            b=dims.right,
        )
        reports.fail(ctx, message, errors.ARRAY_SHAPE)
        return ctx.default_return_type
    dtype, problem = result_dtype(engine, operator, left, right)
    if problem is not None:
        message = _refusal(operator.symbol, _describe(left), _describe(right), problem)
        reports.fail(ctx, message, errors.ARRAY_DTYPE)
        return ctx.default_return_type
    # On the left of an array of the layer, one of JAX decides; a Python scalar does not.
    layer = left[0].layer or (right[0].layer and left[1] is not None)
    return engine.writer(reader).array(ArrayType(dtype, dims, layer))


def result_dtype(
    engine: Engine, operator: Operator, left: Operand, right: Operand
) -> tuple[str | None, str | None]:
    """The dtype of the result, or None where it is unknown; and why JAX refuses the operands, if it does."""
    a, b = left[0].dtype, right[0].dtype
    if a is None or b is None:
        return ("bool" if operator.rule == "compare" else None), None
    is_key = names.KEY in (a, b)
    if operator.rule == "evaluate" or (operator.symbol == "-" and a == b == "bool") or is_key:
        return _evaluated_dtype(engine, operator, left, right)
    try:
        system = "jax" if left[0].layer or right[0].layer else engine.system
        joined = join(a, b, system=system, x64=engine.x64)
    except PromotionError as error:
        return None, str(error)
    return ("bool" if operator.rule == "compare" else joined), None


def _evaluated_dtype(
    engine: Engine, operator: Operator, left: Operand, right: Operand
) -> tuple[str | None, str | None]:
    values = [_scalar(operand, engine.x64) for operand in (left, right)]
    answer = engine.ask(operator.function, values)
    result = answer.result[1] if answer.result and answer.result[0] == "layer" else answer.result
    if result is not None and result[0] == "array":
        _, dtype, weak, _ = result
        return (weak_name(dtype) if weak else dtype), None
    return None, answer.error


def _scalar(operand: Operand, x64: bool) -> Value:
    array, value = operand
    assert array.dtype is not None
    if value is not None:
        return ["scalar", "int"] if value[0] == "dim" else value
    scalar = ["array", *split_weak(array.dtype, x64), []]
    return ["layer", scalar] if array.layer else scalar


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


def _describe(operand: Operand) -> str:
    array, value = operand
    if value is not None:
        return spell_value(value)
    return array.describe()


def _refusal(symbol: str, left: str, right: str, reason: str) -> str:
    return errors.OPERATOR.format(left=left, symbol=symbol, right=right, reason=errors.sentence(reason))
