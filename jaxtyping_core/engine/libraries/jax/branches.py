"""Branches of JAX of which a part is not known: JAX traces all of them, and what they give is alike but for weakness."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax

from ...values import arrays
from ...values.conversions import as_array
from ...values.trees import mapped
from ...values.unknowns import UNKNOWN, ConcretizationError, is_unknown
from ..calls.choices import as_arrays
from . import tracings

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: The dtypes of what decides: which of them it is changes nothing.
DECIDES = {"cond": "bool", "switch": "int32"}


def _native(name: str) -> Callable[[Interpreter], Callable[..., Any]]:
    def make(interpreter: Interpreter) -> Callable[..., Any]:
        real = getattr(jax.lax, name)

        def branched(decides: Any = UNKNOWN, *rest: Any, **kwargs: Any) -> Any:
            decides = as_array(decides)
            if is_unknown(decides):
                decides = arrays.array(DECIDES[name], False, ())
            if not arrays.holds_unknown([*rest, *kwargs.values()]):
                with contextlib.suppress(ConcretizationError):  # JAX looks at what the functions give
                    return interpreter.of_library(real, [decides, *rest], kwargs)
            functions, operands = _functions_and_operands(name, rest)
            if kwargs or not functions or any(is_unknown(function) for function in functions):
                interpreter.havoc([*rest, *kwargs.values()])
                return UNKNOWN
            interpreter.may_raise_epoch += 1
            if len(functions) == 1:  # JAX calls it at once
                return alike([interpreter.call(functions[0], as_arrays(operands), {})])
            return alike([_traced(interpreter, function, operands) for function in functions])

        return branched

    return make


def _traced(interpreter: Interpreter, function: Any, operands: list[Any]) -> Any:
    def walk() -> Any:
        return interpreter.call(function, tracings.renewed(as_arrays(operands)), {})

    return tracings.under_trace(interpreter, walk)


FUNCTIONS = {f"jax.lax.{name}": _native(name) for name in DECIDES}


def _functions_and_operands(name: str, rest: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    if name == "cond":
        return list(rest[:2]), list(rest[2:])
    if rest and isinstance(rest[0], (list, tuple)):
        return list(rest[0]), list(rest[1:])
    return [], []


def alike(results: Sequence[Any]) -> Any:
    """What all branches give, of which one may be known where another is not."""
    known = [as_arrays(result) for result in results if result is not UNKNOWN]
    if not known:
        return UNKNOWN
    first, *others = known
    return mapped(lambda *leaves: _of_leaves(leaves, len(known) == len(results)), first, *others)


def _of_leaves(leaves: Sequence[Any], is_all: bool) -> Any:
    known = [each for leaf in leaves if (each := arrays.known_of(leaf)) is not None]
    dtypes = {each.dtype for each in known if each.dtype is not None}
    shapes = [each.shape for each in known if each.shape is not None]
    if len(dtypes) > 1 or len({len(dims) for dims in shapes}) > 1:
        return UNKNOWN  # JAX refuses these
    dtype = next(iter(dtypes), None)
    weak = {each.weak for each in known} if is_all and len(known) == len(leaves) else {None}
    sizes = [_of_sizes(each) for each in zip(*shapes, strict=True)]
    if dtype is None and not shapes:
        return UNKNOWN
    return arrays.array(
        dtype,
        False if arrays.is_never_weak(dtype) else weak.pop() if len(weak) == 1 else None,
        tuple(sizes) if shapes else None,
    )


def _of_sizes(sizes: Sequence[Any]) -> Any:
    """The one size that all branches have: an unknown one is what another says."""
    known = {str(size): size for size in sizes if not arrays.is_unknown_size(size)}
    if known:
        return next(iter(known.values())) if len(known) == 1 else None
    return sizes[0] if len(set(map(str, sizes))) == 1 else None
