"""Derivatives by arrays of integers: JAX refuses them whatever the function is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mypy.nodes import (
    ARG_POS,
    CallExpr,
    Decorator,
    Expression,
    IntExpr,
    NameExpr,
    RefExpr,
    TupleExpr,
)

from jaxtyping_core.domain.values import Array, Call, Dict, Items, Lambda, Parameter, Scalar, Static, Value
from jaxtyping_core_mypy import errors, names
from jaxtyping_core_mypy.arguments import arguments_of
from jaxtyping_core_mypy.generic import FARTHEST, GRADIENTS, TRANSPARENT
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.spelling import spell, spell_value

#: The transformations that differentiate.
DERIVATIVES = frozenset({*GRADIENTS, "jax.jacfwd", "jax.jacrev", "jax.jacobian", "jax.hessian"})
#: A function that takes an array of any dtype and gives a real number.
OF_ANYTHING = Lambda(("x",), Call("jax.numpy.sum", (Call("jax.numpy.abs", (Parameter("x"),), {}),), {}))
#: The transformations that take arrays of the dtypes that the function they are given takes, at the same positions.
OF_THE_SAME_DTYPES = TRANSPARENT | {"jax.vmap", "jax.pmap"}
#: Python's numbers that are no floats.
NO_FLOATS = ("int", "bool")
#: The options that change nothing of which dtypes are taken.
OPTIONS = frozenset({"argnums", "has_aux"})


class Derivative(NamedTuple):
    """A transformation, and the positions of the arguments with respect to which it differentiates."""

    path: str
    positions: tuple[int, ...]


def refused(site: Site, made: Expression) -> bool:
    """Report that `made`, which is called here, differentiates with respect to what is no float; whether it does."""
    derivative = derivative_of(site, made)
    if derivative is None:
        return False
    passed = arguments_of(site.ctx)
    for position in derivative.positions:
        if not all(kind == ARG_POS for *_, kind, _ in passed[: position + 1]) or position >= len(passed):
            continue
        _, expr, typ, _, _ = passed[position]
        for leaf in _leaves(site.reader.argument(expr, typ)):
            # What JAX says of an argument it says for any function, and its dims do not matter.
            number = Array.of(leaf.dtype, leaf.weak, ()) if isinstance(leaf, Array) else leaf
            answer = site.ask("value", [Call(derivative.path, (OF_ANYTHING,), {}), number])
            if answer.error is not None:
                called = f"{spell(made)}(...)" if isinstance(made, CallExpr) else spell(made)
                text = f"{called}({spell_value(leaf)})"
                site.fail(
                    errors.REFUSED.format(call=text, reason=errors.sentence(answer.error)), errors.ARRAY_DTYPE
                )
                return True
    return False


def derivative_of(site: Site, made: Expression, depth: int = 0) -> Derivative | None:
    """The derivative that an expression is, through names that are bound once, `jit` and `vmap`; None where it is none."""
    if depth > FARTHEST:
        return None
    if isinstance(made, NameExpr):
        if isinstance(made.node, Decorator):
            return _of_decorators(made.node.original_decorators)
        binding = site.facts.only_binding(site.api, made)
        if binding is None or binding.value is None or binding.is_part:
            return None
        return derivative_of(site, binding.value, depth + 1)
    if not isinstance(made, CallExpr):
        return None
    path = _path(made.callee)
    if path in OF_THE_SAME_DTYPES and made.args and made.arg_kinds[0] == ARG_POS:
        return derivative_of(site, made.args[0], depth + 1)
    options = dict(zip(made.arg_names, made.args, strict=True))
    options.pop(None, None)
    positions = _positions(options.get("argnums", IntExpr(0)))
    # Of two arguments without names the second is `argnums`.
    is_plain = len(made.args) - len(options) == 1 and OPTIONS.issuperset(options)
    return Derivative(path, positions) if path in DERIVATIVES and path and positions and is_plain else None


def _of_decorators(decorators: list[Expression]) -> Derivative | None:
    for path in map(_path, decorators):
        if path in DERIVATIVES and path:
            return Derivative(path, (0,))
        if path not in OF_THE_SAME_DTYPES:
            return None
    return None


def _path(expr: Expression) -> str | None:
    return names.public_path(expr.fullname) if isinstance(expr, RefExpr) else None


def _positions(argnums: Expression) -> tuple[int, ...]:
    """The positions that are written; none where they are not."""
    items = argnums.items if isinstance(argnums, TupleExpr) else [argnums]
    positions = [item.value for item in items if isinstance(item, IntExpr)]
    return tuple(positions) if len(positions) == len(items) else ()


def _leaves(value: Value | None) -> Iterator[Value]:
    """The arrays and numbers in an argument whose dtype is known and no float."""
    match value:
        case Items():
            for item in value.items:
                yield from _leaves(item)
        case Dict():
            for _, item in value.pairs:
                yield from _leaves(item)
        case Array() if value.dtype is not None and "float" not in value.dtype:
            yield value
        case Scalar() if value.kind in NO_FLOATS:
            yield value
        case Static() if type(value.value).__name__ in NO_FLOATS:
            yield value
