"""JAX's transformations of the program's own functions: what they return follows from the functions' signatures.

Their stubs' overloads, on which mypy spends as much as on a hundred operators, are not seen under the plugin. Functions
of JAX and lambdas are evaluated; only what that leaves open is found here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from mypy import errorcodes as codes
from mypy.nodes import ARG_POS, CallExpr, Expression, IntExpr, NameExpr
from mypy.plugin import MethodContext
from mypy.plugins.functools import partial_call_callback

from jaxtyping_core.domain.values import Array
from jaxtyping_core_mypy import differentiated, names
from jaxtyping_core_mypy.arguments import arguments_of, expressions_for, types_for
from jaxtyping_core_mypy.calls import function, value
from jaxtyping_core_mypy.convert import Type, is_any, iterables, signatures
from jaxtyping_core_mypy.convert.numpy import read_numpy
from jaxtyping_core_mypy.generic import GRADIENTS, applied, transformed
from jaxtyping_core_mypy.named_dims import report_conflict
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.suppress_errors import take_back

PARTIAL_CALL = "functools.partial.__call__"
FLAGS = {"builtins.True": True, "builtins.False": False}


class ControlFlow(NamedTuple):
    """The parameters that take functions, and what follows from the types that these return."""

    parameters: tuple[str, ...]
    result: Callable[[list[Type], Type], Type]
    #: The parameters for what these functions are called with: a "*" stands before one of which a row is passed.
    passed: tuple[str, ...]
    #: The parameter for what goes through a loop: JAX refuses a body that makes something of another type of it.
    carry: str | None = None


CONTROL_FLOW = {
    "jax.lax.scan": ControlFlow(("f",), signatures.scanned, ("init", "*xs"), "init"),
    "jax.lax.while_loop": ControlFlow(("body_fun",), signatures.carried, ("init_val",), "init_val"),
    "jax.lax.fori_loop": ControlFlow(("body_fun",), signatures.carried, ("*lower", "init_val"), "init_val"),
    "jax.lax.cond": ControlFlow(("true_fun", "false_fun"), signatures.chosen, ("operands",)),
    "jax.lax.switch": ControlFlow(("branches",), signatures.chosen, ("operands",)),
    "jax.lax.map": ControlFlow(("f",), signatures.stacked, ("*xs",)),
}
UNKNOWN_ARRAY = Array.of(None, False, None)
DECORATOR_CALL = f"{names.DECORATOR}.__call__"


def control_flow(site: Site, path: str) -> Type:
    """The hook of a loop or a branch: the result is what the functions that it calls return."""
    typ = function(site, path)
    if typ is not site.default:
        return typ
    parameters, result, passed, carry = CONTROL_FLOW[path]
    functions = [f for name in parameters for f in signatures.functions_in(types_for(site.ctx, name))]
    types = [signatures.traced(typ) for name in passed for typ in _passed(site, name)]
    results = [applied(site, f, types) or signatures.returned(f) for f in functions]
    known = [signatures.traced(typ) for typ in results if typ is not None]
    if known and len(known) == len(results):
        typ = result(known, _steps(site))
    # After an error, more that is known would bring more of the same.
    return (
        typ if carry is None or site.has_failed else _kept(site, carry, typ, is_scan=path == "jax.lax.scan")
    )


def _kept(site: Site, carry: str, result: Type, is_scan: bool) -> Type:
    """What a loop gives, with what goes in where no more is known: it keeps its type, as far as dtypes are not weak."""
    values = types_for(site.ctx, carry)
    pair = signatures.pair_of(result) if is_scan else None
    if len(values) != 1 or not is_any(result if pair is None else pair.items[0]):
        return result
    kept = signatures.traced(values[0])
    if not is_scan:
        return kept
    return site.writer.tuple_of([kept, signatures.UNKNOWN if pair is None else pair.items[1]])


def _steps(site: Site) -> Type:
    """The number of rows of what a loop goes over, as a dim."""
    arrays = [site.reader.array_of(typ) for typ in types_for(site.ctx, "xs")]
    known = [array.shape[0] for array in arrays if array is not None and array.shape]
    return site.writer.dim(known[0] if known else None)


def _passed(site: Site, parameter: str) -> list[Type]:
    """The types of what is given for a parameter, or for one after a "*", of their rows."""
    types = types_for(site.ctx, parameter.removeprefix("*"))
    if not parameter.startswith("*"):
        return types
    arrays = [site.reader.array_of(typ) for typ in types]
    return [
        typ
        if signatures.is_none(typ)
        else signatures.UNKNOWN
        if array is None or not array.shape
        else site.writer.array(replace(array, shape=array.shape[1:]))
        for typ, array in zip(types, arrays, strict=True)
    ]


def batching(site: Site, path: str | None) -> Type:
    """The hook of ``jax.vmap(f)`` and its relatives: the function's own type, for arrays of any shape.

    What is known of JAX's own functions is more than their annotations say.
    """
    typ = site.default if path is None else function(site, path)
    functions = [*types_for(site.ctx, "fun"), *types_for(site.ctx, "f")]
    return _batched(site, functions[0]) if typ is site.default and functions else typ


def sharding(site: Site) -> Type:
    """The hook of ``jax.shard_map``, which without a function gives a decorator."""
    return decorated(site) if site.ctx.arg_types[0] else site.writer.sharding()


def _batched(site: Site, function: Type) -> Type:
    return signatures.batched(function, site.writer.array(UNKNOWN_ARRAY))


def decorated(site: Site) -> Type:
    """The function that is the first argument, for arrays of any shape."""
    (typ, *_), (kind, *_) = site.ctx.arg_types[0], site.ctx.arg_kinds[0]
    return _batched(site, typ) if kind == ARG_POS else site.default


def partial_call(wrap: Callable[[Callable[[Site], Type]], Callable[..., Type]]) -> Callable[..., Type]:
    """The hook of calling any `functools.partial`; `wrap` guards the part of it that is ours.

    That part is ``partial(jax.vmap, in_axes=...)(f)``, also as a decorator.
    """
    kept = wrap(decorated)

    def hook(ctx: MethodContext) -> Type:
        passed = [len(types) for types in ctx.arg_types]
        if signatures.decorator_of(ctx.type) in names.BATCHING and passed == [1, 0]:
            return kept(ctx)
        return partial_call_callback(ctx)

    return hook


def gradient(site: Site, path: str) -> Type:
    """The hook of ``jax.grad`` and ``jax.value_and_grad``."""
    typ = function(site, path)
    functions = types_for(site.ctx, "fun")
    differentiated = signatures.signature(functions[0]) if len(functions) == 1 else None
    if typ is not site.default or differentiated is None:
        return typ
    position, has_aux = _position(site), _flag(expressions_for(site.ctx, "has_aux"))
    slope = None if position is None else signatures.gradient(differentiated, position)
    if slope is None or has_aux is None:
        return typ
    value = signatures.traced(differentiated.ret_type)
    result = _with_aux(site, value, slope, GRADIENTS[path]) if has_aux else slope
    if GRADIENTS[path] and not has_aux:
        result = site.writer.tuple_of([value, slope])
    return typ if result is None else site.writer.transformed(differentiated, result)


def pullback(site: Site, path: str) -> Type:
    """The hook of ``jax.vjp``: what the function returns, and a function."""
    typ = function(site, path)
    functions = types_for(site.ctx, "fun")
    result = signatures.returned(functions[0]) if len(functions) == 1 else None
    if typ is not site.default or result is None or _flag(expressions_for(site.ctx, "has_aux")) is not False:
        return typ
    return site.writer.tuple_of([signatures.traced(result), signatures.UNKNOWN])


def called(site: Site) -> Type:
    """The hook of calling what a transformation returned: ``jax.grad(f)(x)``, which takes no integers."""
    made = site.ctx.context.callee if isinstance(site.ctx.context, CallExpr) else None
    _take_numpy(site)
    if report_conflict(site):
        return site.default
    if made is not None and differentiated.refused(site, made):
        return site.default
    typ = value(site)
    if typ is not site.default or made is None:
        return typ
    return _of_generic(site, made) or iterables.open_member(typ) or typ


def _take_numpy(site: Site) -> None:
    """Take back that NumPy's arrays are no arrays of JAX: a transformed function gets what JAX converts them to."""
    x64 = site.engine.x64
    places = {
        (expr.line, expr.column)
        for exprs, types in zip(site.ctx.args, site.ctx.arg_types, strict=True)
        for expr, typ in zip(exprs, types, strict=False)
        if read_numpy(typ, site.reader.symbols, x64) is not None
    }
    if places:
        take_back(
            site.api.errors,
            lambda info: info.code is codes.ARG_TYPE and (info.line, info.column) in places,
        )


def _of_generic(site: Site, made: Expression) -> Type | None:
    """What a transformed generic function returns here; None where it is none."""
    function = transformed(site, made)
    passed = arguments_of(site.ctx)
    if function is None:
        return None
    types, kinds, keywords = (
        zip(*((typ, kind, name) for _, _, typ, kind, name in passed), strict=True) if passed else ((), (), ())
    )
    return applied(site, function, types, kinds, keywords)


def _with_aux(site: Site, value: Type, slope: Type, with_value: bool) -> Type | None:
    """What the derivative of a function returns that returns a pair of its value and something else."""
    pair = signatures.pair_of(value)
    if pair is None:
        return None
    return site.writer.tuple_of([pair, slope] if with_value else [slope, pair.items[1]])


def _position(site: Site) -> int | None:
    """The position of the argument with respect to which is differentiated; None where that is not known."""
    argnums = expressions_for(site.ctx, "argnums")
    if not argnums:
        return 0
    return argnums[0].value if isinstance(argnums[0], IntExpr) else None


def _flag(exprs: Sequence[Expression]) -> bool | None:
    if not exprs:
        return False
    return FLAGS.get(exprs[0].fullname) if isinstance(exprs[0], NameExpr) else None
