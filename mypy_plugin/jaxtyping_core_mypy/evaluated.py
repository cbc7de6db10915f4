"""The type of an expression as the evaluation of its program has it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Context,
    Expression,
    FuncItem,
    IndexExpr,
    MemberExpr,
    OpExpr,
    RefExpr,
    UnaryExpr,
)
from mypy.plugin import AttributeContext, FunctionContext, MethodContext

from jaxtyping_core.domain.arrays import AbstractArray, reconcile
from jaxtyping_core.domain.dims import Shape
from jaxtyping_core.domain.values import Array, Value
from jaxtyping_core_mypy.convert import (
    Type,
    has_abstract,
    has_any,
    has_array,
    is_any,
    is_array,
    is_of_layer,
    iterables,
    read_array,
    union_items,
    widen,
)
from jaxtyping_core_mypy.operator_table import METHODS
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.spans import Span

#: The module of the array layer.
LAYER = "jaxtyping_core.numpy."
#: The special methods whose results expressions of each kind are.
OF_EXPRESSIONS: dict[type[Context], frozenset[str]] = {
    OpExpr: frozenset(METHODS),
    ComparisonExpr: frozenset(METHODS),
    UnaryExpr: frozenset({"__neg__", "__pos__", "__invert__"}),
    IndexExpr: frozenset({"__getitem__"}),
    CallExpr: frozenset({"__call__"}),
}


class Known(NamedTuple):
    """What the evaluation of the program says of the expression at a place."""

    value: AbstractArray | Value | None = None
    is_refused: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether nothing is open of an array, so that types of operands tell no more."""
        known = self.value
        if not isinstance(known, AbstractArray) or known.dtype is None or known.weak is None:
            return False
        return known.shape is not None and None not in known.shape


def known_at(site: Site, name: str) -> Known | None:
    """What is known of the expression whose value is that of a hook; None where it is not its value.

    Args:
        site: the place.
        name: what was called or read there, such as ``__getitem__``.
    """
    if site.system != "jax" or not site.facts.has_arrays or not _is_value(site.ctx, name):
        return None
    if is_of_layer(site.default) or _calls_layer(site.ctx.context):
        return None
    where = site.ctx.context
    if site.engine.known.of(site.api.path).refuses(where.line, where.end_line or where.line):
        return Known(is_refused=True)  # of which types of operands tell more, if they tell it
    return Known(_known(site, where))


def refined(site: Site, known: Known, typ: Type, of_operands: bool) -> Type:
    """A type, with what is known of the expression.

    Args:
        site: the place.
        known: what is known.
        typ: what types of operands tell of it, or what is declared.
        of_operands: whether it is what JAX gives for the types of the operands.
    """
    if known.value is None:
        if known.is_refused:
            # What Flax declares is a union with anything: nobody is asked to check which member it is.
            typ = iterables.open_member(typ) or typ
        # mypy takes a variable for all that it was in the rounds of a loop that it looks at, of which there are four at most.
        return widen(typ, keep_dtype=True) if _is_in_loop(site) and has_array(typ) else typ
    for scope in site.api.scope.stack:
        if isinstance(scope, FuncItem) and scope.type is not None:
            site.reader.symbols.meet(scope.type)
    if not isinstance(known.value, AbstractArray):
        is_open = has_any(typ) or has_abstract(typ)
        return site.writer.value(known.value, typ) if is_open else typ
    if known.value.dtype is None and known.value.shape is None:
        return widen(typ) if _is_in_loop(site) else typ
    members = union_items(typ) or [typ]
    if all(is_any(member) or is_array(member) for member in members):
        # Of one of several arrays its type tells more than what they have in common.
        tells_more = len(members) > 1 and not known.is_whole and not _is_in_loop(site)
        return typ if tells_more else _array(site, known, typ, of_operands)
    anything = iterables.open_member(typ)
    return typ if anything is None else _array(site, known, anything, of_operands)


def _array(site: Site, known: Known, typ: Type, of_operands: bool) -> Type:
    """The type of an array of which something is known; `typ` says what types tell of it."""
    value = known.value
    assert isinstance(value, AbstractArray)
    is_told = of_operands and known.is_whole  # better than by the types of operands
    before = read_array(typ, site.reader.symbols, site.engine.x64)
    array = replace(value, shape=_without_equal(site, value.shape))
    # In a loop types of operands are those of one round; what is known is what all rounds have in common.
    if before is not None and not is_told and not _is_in_loop(site):
        array = reconcile(array, AbstractArray(before.dtypes, before.weak, _named(site, before.shape)))
    if of_operands and value.dtype is None:
        # Types tell too much of a dtype: what may be weak is strong to them.
        return site.writer.array(Array.of(None, False, array.shape))
    if value.weak is None and (before is None or before.dtypes is None):
        array = replace(array, dtypes=None)  # whether it is weak is a part of its type
    # What types tell of it may be a declaration, which a weak array satisfies as well.
    whole = Array.of(array.dtype, bool(array.weak), array.shape)
    if before == whole and not union_items(typ):
        return typ
    return site.writer.value(whole, widen(typ) if _is_in_loop(site) else typ)


def _named(site: Site, shape: Shape) -> Shape:
    """A shape as types have it: at the top level of a module nothing has a name, though mypy may have left one there."""
    if shape is None or site.api.scope.top_level_function() is not None:
        return shape
    return tuple(None if isinstance(dim, str) else dim for dim in shape)


def _is_in_loop(site: Site) -> bool:
    """Whether mypy is in a loop, whose body it looks at several times."""
    return bool(site.api.binder.continue_frames)


def _without_equal(site: Site, shape: Shape) -> Shape:
    """A shape without the dims that the function finds to be equal: their type variables stay different ones."""
    if shape is None:
        return None
    equal, line = site.facts.equal_dims, site.ctx.context.line
    return tuple(None if isinstance(dim, str) and equal.are_in(dim, line) else dim for dim in shape)


def _calls_layer(context: Context) -> bool:
    """Whether a function of the array layer is called, which gives arrays of its own."""
    callee = context.callee if isinstance(context, CallExpr) else None
    return isinstance(callee, RefExpr) and callee.fullname.startswith(LAYER)


def _is_value(ctx: object, name: str) -> bool:
    """Whether the result is the value of the expression; it may be an item of it, as ``__iter__`` gives."""
    name = name.partition(" of ")[0]  # of a union
    match ctx:
        case AttributeContext(context=MemberExpr(), is_lvalue=False):
            return True
        case FunctionContext(context=CallExpr()):
            return True
        case MethodContext(context=ComparisonExpr(operators=[_, _, *_])):
            return False
        case MethodContext(context=CallExpr()) if not name.startswith("__"):
            return True
        case MethodContext(context=context):
            return name in OF_EXPRESSIONS.get(type(context), ())
    return False


def better(site: Site, expression: Expression, typ: Type) -> Type:
    """The type of an expression of the module at hand, with what is known of an array there."""
    known = _known(site, expression) if site.system == "jax" and site.facts.has_arrays else None
    return refined(site, Known(known), typ, False) if isinstance(known, AbstractArray) else typ


def _known(site: Site, where: Context) -> AbstractArray | Value | None:
    if not isinstance(where, Expression) or where.end_line is None or where.end_column is None:
        return None
    function = site.api.scope.top_level_function()
    lines, is_generic = None, False
    if isinstance(function, FuncItem) and function.type is not None:
        lines = function.line, function.end_line or function.line
        around = (each for each in site.api.scope.stack if isinstance(each, FuncItem))
        is_generic = any(map(site.facts.is_generic, around))
    return site.engine.known.of(site.api.path).at(
        Span(where.line, where.column, where.end_line, where.end_column), lines, is_generic
    )
