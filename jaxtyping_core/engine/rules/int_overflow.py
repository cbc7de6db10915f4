"""Ints that do not fit into their dtype: JAX raises nothing, and goes on with what is left of them.

Only numbers are looked at that the program itself has. Words without a sign are often meant to wrap around, as in hashes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..language import operators
from ..libraries.calls.methods import holder_of
from ..values import arrays, numbers
from .rule import Call, Rule

#: Exact ints, in an array of Python's objects.
Exact = np.ndarray[Any, Any]
#: A power or a shift of more bits than this is not computed.
MOST_BITS = 1024
LEFT = "{exact} does not fit into {dtype}, so the array has {wrapped}; use {wider}"
#: What is wide enough for most ints.
WIDER = {
    **dict.fromkeys(("int8", "int16", "uint8", "uint16"), "int32"),
    **dict.fromkeys(("int32", "uint32"), "a float, or int64 with 64-bit types switched on"),
    **dict.fromkeys(("int64", "uint64"), "a float"),
}
#: Dtypes whose sums and products are often meant to wrap around.
WORDS = frozenset({"uint32", "uint64"})


def _power(base: Exact, exponent: Exact) -> Exact | None:
    """A power, unless it is a fraction or takes long to compute."""
    if exponent.size == 0 or min(exponent.flat) < 0:
        return None
    bits = max((abs(int(each)).bit_length() for each in base.flat), default=0) * int(max(exponent.flat))
    return None if bits > MOST_BITS else base**exponent


def _shift(value: Exact, bits: Exact) -> Exact | None:
    """A shift, unless JAX shifts by so many bits in another way."""
    if bits.size == 0 or min(bits.flat) < 0 or max(bits.flat) > MOST_BITS:
        return None
    return value << bits


#: What functions of two arrays compute.
BINARY: Sequence[tuple[Any, Callable[[Exact, Exact], Exact | None]]] = [
    *((f, operator.add) for f in (operators.add, operators.iadd, jnp.add)),
    *((f, operator.sub) for f in (operator.sub, operator.isub, jnp.subtract)),
    *((f, operator.mul) for f in (operators.times, jnp.multiply)),
    *((f, _power) for f in (operators.power, jnp.power)),
    *((f, _shift) for f in (operators.shift, jnp.left_shift)),
]
#: What functions of one array compute.
UNARY: Sequence[tuple[Any, Callable[[Exact], Exact]]] = [
    *((f, operator.neg) for f in (operator.neg, jnp.negative)),
]
#: What functions compute that go along an axis, by their names.
ALONG: Mapping[str, Callable[..., Exact]] = {
    "sum": np.sum,
    "prod": np.prod,
    "cumsum": np.cumsum,
    "cumprod": np.cumprod,
}


class IntOverflow(Rule):
    """Computes once more with Python's ints."""

    KIND = "overflow"

    def after(self, call: Call, equations: Sequence[Any]) -> None:
        known = arrays.known_of(call.result)
        if known is None or known.dtype not in WIDER:
            return
        exact = _exact(call)
        if exact is None or not self.is_followed or self.interpreter.context.is_speculative:
            return
        bounds = jnp.iinfo(known.dtype)
        outside = [each for each in exact.flat if not bounds.min <= each <= bounds.max]
        if not outside or (known.dtype in WORDS and not (outside[0] < 0 and exact.ndim)):
            return
        wrapped = (outside[0] - bounds.min) % 2**bounds.bits + bounds.min
        self.report(
            LEFT.format(exact=outside[0], dtype=known.dtype, wrapped=wrapped, wider=WIDER[known.dtype])
        )


def _exact(call: Call) -> Exact | None:
    """What a call gives if no int is too large; None where that is not known."""
    alone = next((compute for f, compute in UNARY if f is call.f), None)
    if alone is not None and len(call.args) == 1:
        value = _ints(call.args[0])
        return None if value is None else np.asarray(alone(value), dtype=object)
    if len(call.args) == 2 and not call.kwargs:
        compute = next((compute for f, compute in BINARY if f is call.f), None)
        sides = [_ints(arg) for arg in call.args] if compute else [None]
        left, right = (*sides, None)[:2]
        if compute is None or left is None or right is None:
            return None
        made = compute(left, right)
        return None if made is None else np.asarray(made, dtype=object)
    return _along(call) if call.kwargs.keys() <= {"axis", "dtype"} else None


def _along(call: Call) -> Exact | None:
    """A sum or a product along an axis."""
    holder = holder_of(call.f)
    f, args = (
        (getattr(call.f, "__func__", None), [holder, *call.args])
        if arrays.is_array(holder)
        else (call.f, call.args)
    )
    owner = type(holder) if arrays.is_array(holder) else jnp
    name = next((name for name in ALONG if getattr(owner, name, None) is f), None)
    if name is None or not 1 <= len(args) <= 2:
        return None
    ints, axis = _ints(args[0]), args[1] if len(args) == 2 else call.kwargs.get("axis")
    if ints is None or not (axis is None or type(axis) is int):
        return None
    return np.asarray(ALONG[name](ints, axis=axis), dtype=object)


def _ints(value: Any) -> Exact | None:
    """The ints in a value."""
    if type(value) is int:
        return np.asarray(value, dtype=object)
    known = value if isinstance(value, (np.ndarray, np.integer)) else numbers.of(value)
    if known is None or not np.issubdtype(known.dtype, np.integer) or known.size > numbers.MOST:
        return None
    return np.asarray(known.astype(object), dtype=object)
