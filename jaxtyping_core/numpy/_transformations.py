"""JAX's transformations, on functions of the layer.

A function that is transformed sees layer arrays for all its array arguments, also where the caller gave an array
of JAX or a Python scalar, so that the system in force decides every promotion in it. `jit` and `vmap` take layer
arrays as the pytrees that they are; the derivatives are taken of the function between the values inside.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any, cast

import jax

from jaxtyping_core.numpy._array import Array, is_of_jax, made

Function = Callable[..., Any]


def _is_array(leaf: Any) -> bool:
    return type(leaf) is Array


def strip(tree: Any) -> Any:
    """The pytree `tree` with the values of layer arrays in their places."""
    return jax.tree.map(lambda leaf: leaf.value if _is_array(leaf) else leaf, tree, is_leaf=_is_array)


def dress(tree: Any) -> Any:
    """The pytree `tree` with JAX's arrays and tracers as layer arrays."""
    return jax.tree.map(lambda leaf: made(leaf) if is_of_jax(leaf) else leaf, tree, is_leaf=_is_array)


def _lifted(function: Function) -> Function:
    """`function` on layer arrays, whatever arrays it is given; the same object every time.

    JAX finds what it compiled by the identity of the function.
    """
    known = getattr(function, "__dict__", {}).get(_LIFTED)
    if known is not None and known.__wrapped__ is function:
        return cast(Function, known)

    @functools.wraps(function)
    def lifted(*args: Any, **kwargs: Any) -> Any:
        return function(*dress(args), **dress(kwargs))

    vars(lifted).pop(_LIFTED, None)
    with contextlib.suppress(AttributeError, TypeError):  # a method or a builtin is lifted every time
        setattr(function, _LIFTED, lifted)
    return lifted


_LIFTED = "__jaxtyping_core_lifted__"


def _between_values(function: Function, aux: bool = False) -> Function:
    """`function` from values to values; with `aux`, its second result stays as it is."""
    lifted = _lifted(function)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        out = lifted(*args, **kwargs)
        return (strip(out[0]), out[1]) if aux else strip(out)

    return call


def _named(name: str) -> Callable[[Function], Function]:
    """Gives a function here the documentation of JAX's `name`."""

    def decorate(function: Function) -> Function:
        theirs = getattr(jax, name)
        first = (theirs.__doc__ or "").strip().partition("\n\n")[0]
        function.__name__ = function.__qualname__ = name
        function.__module__ = __name__.rpartition(".")[0]
        function.__doc__ = (
            f"{first}\n\nTakes the arguments of ``jax.{name}`` and raises the same errors. The function gets arrays of "
            "the layer, and the promotion system in force decides their dtypes."
        )
        return function

    return decorate


def _over_pytrees(name: str) -> Function:
    """`jax.jit` or another transformation that returns what the function returns."""
    theirs = getattr(jax, name)

    @_named(name)
    def transform(fun: Function | None = None, *args: Any, **options: Any) -> Any:
        if fun is None:
            return functools.partial(transform, **options)
        return theirs(_lifted(fun), *args, **options)

    return transform


def _derivative(name: str) -> Function:
    """`jax.grad` or another transformation that returns a function of the same arguments."""
    theirs = getattr(jax, name)

    @_named(name)
    def transform(fun: Function, *args: Any, **options: Any) -> Any:
        derived = theirs(_between_values(fun, options.get("has_aux", False)), *args, **options)

        @functools.wraps(fun)
        def call(*args: Any, **kwargs: Any) -> Any:
            return dress(derived(*strip(args), **strip(kwargs)))

        return call

    return transform


def _linear(name: str) -> Function:
    """`jax.vjp` or `jax.linearize`: the value at a point, and a linear function."""
    theirs = getattr(jax, name)

    @_named(name)
    def transform(fun: Function, *primals: Any, **options: Any) -> Any:
        out, linear, *aux = theirs(
            _between_values(fun, options.get("has_aux", False)), *strip(primals), **options
        )
        return (dress(out), lambda *args: dress(linear(*strip(args))), *dress(aux))

    return transform


@_named("jvp")
def jvp(fun: Function, primals: Any, tangents: Any, has_aux: bool = False) -> Any:
    return dress(jax.jvp(_between_values(fun, has_aux), strip(primals), strip(tangents), has_aux=has_aux))


@_named("make_jaxpr")
def make_jaxpr(fun: Function, **options: Any) -> Any:
    made: Function = jax.make_jaxpr(_between_values(fun), **options)
    return lambda *args, **kwargs: made(*strip(args), **strip(kwargs))


jit, vmap = map(_over_pytrees, ("jit", "vmap"))
grad, value_and_grad, jacfwd, jacrev, hessian = map(
    _derivative, ("grad", "value_and_grad", "jacfwd", "jacrev", "hessian")
)
vjp, linearize = map(_linear, ("vjp", "linearize"))

#: What this module adds to the layer.
NAMES = (
    "grad", "hessian", "jacfwd", "jacrev", "jit", "jvp", "linearize", "make_jaxpr", "value_and_grad", "vjp", "vmap",
)  # fmt: skip
