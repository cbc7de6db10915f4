"""JAX's transformations of the program's own functions: what they return follows from the functions' signatures.

Their stubs' overloads, on which mypy spends as much as on a hundred operators, are not seen under the plugin. Functions
of JAX and lambdas are evaluated; only what that leaves open is found here.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy import errorcodes as codes
from mypy.nodes import ARG_POS, LambdaExpr
from mypy.plugin import MethodContext
from mypy.plugins.functools import partial_call_callback

from jaxtyping_core.domain.values import Array
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.arguments import expressions_for, types_for
from jaxtyping_core_mypy.convert import Type, iterables, signatures
from jaxtyping_core_mypy.convert.numpy import read_numpy
from jaxtyping_core_mypy.mypy_internals import take_back
from jaxtyping_core_mypy.site import Site

PARTIAL_CALL = "functools.partial.__call__"


UNKNOWN_ARRAY = Array.of(None, False, None)
DECORATOR_CALL = f"{names.DECORATOR}.__call__"


def batching(site: Site) -> Type:
    """The hook of ``jax.vmap(f)`` and its relatives: the function's own type, for arrays of any shape."""
    functions = [*types_for(site.ctx, "fun"), *types_for(site.ctx, "f")]
    written = [*expressions_for(site.ctx, "fun"), *expressions_for(site.ctx, "f")]
    if not functions:
        return site.default
    batched = _batched(site, functions[0])
    # mypy asks nobody about the call of a function without a name.
    return site.writer.of_lambda(batched) if isinstance(written[0], LambdaExpr) else batched


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


def called(site: Site) -> Type:
    """The hook of calling what a transformation returned: ``jax.grad(f)(x)``, which takes no integers."""
    _take_numpy(site)
    return iterables.open_member(site.default) or site.default


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
