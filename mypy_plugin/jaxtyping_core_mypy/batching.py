"""``jax.vmap`` and its relatives: the function's own type, for arrays of any shape."""

from __future__ import annotations

from collections.abc import Callable

from mypy.plugin import FunctionContext, MethodContext
from mypy.plugins.functools import partial_call_callback
from mypy.subtypes import find_member
from mypy.types import CallableType, FunctionLike, Instance, Type, get_proper_type

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.calls import function_callback
from jaxtyping_core_mypy.engine import Engine
from jaxtyping_core_mypy.widening import PARTIAL_SIGNATURE, widen

PARTIAL_CALL = "functools.partial.__call__"
#: Where an object that can be called has its signature in its type arguments.
WITH_SIGNATURE = ("functools.", "jax.")


def batching_callback(engine: Engine, fullname: str) -> Callable[[FunctionContext], Type]:
    """The hook of ``jax.vmap(f)``: what is known of JAX's own functions is more than their annotations say."""
    path = names.public_path(fullname)
    evaluated = None if path is None else function_callback(engine, path)

    def callback(ctx: FunctionContext) -> Type:
        typ = ctx.default_return_type if evaluated is None else evaluated(ctx)
        return _batched(typ) if typ is ctx.default_return_type else typ

    return callback


def partial_callback(
    wrap: Callable[[Callable[[MethodContext], Type]], Callable[[MethodContext], Type]],
) -> Callable[[MethodContext], Type]:
    """The hook of calling any `functools.partial`; `wrap` guards the part of it that is ours."""
    decorated = wrap(_decorated)

    def callback(ctx: MethodContext) -> Type:
        return decorated(ctx) if _is_decorator(ctx) else partial_call_callback(ctx)

    return callback


def _is_decorator(ctx: MethodContext) -> bool:
    """Whether this is ``partial(jax.vmap, in_axes=...)(f)``, or that as a decorator."""
    attributes = ctx.type.extra_attrs if isinstance(ctx.type, Instance) else None
    signature = get_proper_type(attributes.attrs.get(PARTIAL_SIGNATURE)) if attributes else None
    if not isinstance(signature, CallableType) or signature.definition is None:
        return False
    return signature.definition.fullname in names.BATCHING and [len(t) for t in ctx.arg_types] == [1, 0]


def _decorated(ctx: MethodContext) -> Type:
    return _batched(ctx.arg_types[0][0])


def _batched(function: Type) -> Type:
    """The type of the batched `function`; of an object that can be called, the signature is left."""
    proper = get_proper_type(function)
    if isinstance(proper, Instance) and not proper.type.fullname.startswith(WITH_SIGNATURE):
        call = get_proper_type(find_member("__call__", proper, proper, is_operator=True))
        return widen(call, keep_dtype=True) if isinstance(call, FunctionLike) else function
    return widen(function, keep_dtype=True)
