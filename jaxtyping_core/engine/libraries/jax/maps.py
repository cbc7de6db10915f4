"""``lax.map`` and ``lax.associative_scan`` of what is not known whole."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jax

from ...values import arrays
from ...values.trees import mapped as mapped_tree
from ...values.unknowns import UNKNOWN, ConcretizationError, is_unknown
from ..calls.choices import as_arrays
from . import loops as loops_of_jax

if TYPE_CHECKING:
    from ...interpreter import Interpreter


def _of_known(interpreter: Interpreter, real: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What JAX gives where all is known; None where it is not, or where JAX needs numbers for it."""
    if not arrays.holds_unknown([args, kwargs]):
        with contextlib.suppress(ConcretizationError):
            return interpreter.of_library(real, args, kwargs)
    return None


def _map(interpreter: Interpreter) -> Callable[..., Any]:
    """``lax.map``: a scan that carries nothing. How many rows it takes at once changes nothing."""
    scan = loops_of_jax.FUNCTIONS["jax.lax.scan"](interpreter)

    def over_rows(f: Any, xs: Any, *, batch_size: Any = None) -> Any:
        known = _of_known(interpreter, jax.lax.map, [f, xs], {"batch_size": batch_size})
        if known is not None:
            return known
        if is_unknown(f):
            interpreter.havoc([xs])
            return UNKNOWN
        step = interpreter.natives.function(lambda carry, x: (carry, interpreter.call(f, [x], {})))
        return scan(step, (), xs)[1]

    return over_rows


def _associative_scan(interpreter: Interpreter) -> Callable[..., Any]:
    """``lax.associative_scan``: arrays like the elements. The function gets two parts of these, of several lengths."""

    def scanned(fn: Any, elems: Any, reverse: Any = False, axis: Any = 0) -> Any:
        known = _of_known(
            interpreter, jax.lax.associative_scan, [fn, elems], {"reverse": reverse, "axis": axis}
        )
        if known is not None:
            return known
        interpreter.may_raise_epoch += 1
        elements = as_arrays(elems)
        part = mapped_tree(lambda leaf: _part(leaf, axis), elements)
        interpreter.call(fn, [part, part], {})
        return loops_of_jax.like(elements)

    return scanned


def _part(leaf: Any, axis: Any) -> Any:
    """Some of an array along an axis."""
    known = arrays.known_of(leaf)
    if known is None:
        return UNKNOWN
    dims = known.shape
    if dims is None or type(axis) is not int or not -len(dims) <= axis < len(dims):
        return arrays.of_known(replace(known, shape=None))
    position = axis % len(dims)
    shape = tuple(None if i == position else dim for i, dim in enumerate(dims))
    return arrays.of_known(replace(known, shape=shape))


FUNCTIONS = {"jax.lax.map": _map, "jax.lax.associative_scan": _associative_scan}
