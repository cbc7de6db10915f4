"""Calls as values, and what JAX itself makes of them."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxtyping_core.domain.values import (
    Anything,
    Array,
    Builtin,
    Dots,
    DType,
    Key,
    List,
    Named,
    Scalar,
    Slice,
    Static,
    Tuple,
    Value,
    transform,
)
from jaxtyping_core.domain.values import Call as CallValue
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.protocol import Answer, request


class Call(NamedTuple):
    """A call of a function of JAX, as a request has it."""

    function: str
    args: tuple[Value, ...]
    kwargs: dict[str, Value]

    def __str__(self) -> str:
        return self.function

    def ask(self, evaluator: Evaluator, x64: bool = False, promotion: str = "standard") -> Answer:
        return evaluator.ask(request(self.function, self.args, self.kwargs, x64=x64, promotion=promotion))


def call(function: str, *args: Value, **kwargs: Value) -> Call:
    function = function.replace("jnp.", "jax.numpy.").replace("nn.", "jax.nn.").replace("lax.", "jax.lax.")
    return Call(function, args, kwargs)


def array(dtype: str | None, *dims: int | str | None, weak: bool = False) -> Array:
    return Array.of(dtype, weak, dims)


def group(*values: Value) -> Tuple:
    return Tuple(values)


def ints(*values: int) -> Tuple:
    return group(*map(Static, values))


ALL = Slice(Static(None), Static(None), Static(None))
F, H, I, U, B, C = (
    array(dtype, 3, 4) for dtype in ("float32", "float16", "int32", "uint8", "bool", "complex64")
)
VECTOR, SCALAR, SQUARE = array("float32", 4), array("float32"), array("float32", 3, 3)
WEAK_INT, WEAK_FLOAT = array("int32", 3, 4, weak=True), array("float32", 3, 4, weak=True)


def concrete(value: Value) -> Any:
    """The Python object that a value stands for."""
    return OBJECTS[type(value)](value)


def concrete_array(value: Array) -> jax.Array:
    if value.weak:
        return jnp.broadcast_to(jnp.asarray(1.0 if "float" in str(value.dtype) else 1), value.shape)
    return jnp.ones(value.shape, value.dtype)


def concrete_call(value: CallValue) -> Any:
    return run(Call(value.function, value.args, dict(value.kwargs)))


OBJECTS: dict[type[Value], Callable[[Any], Any]] = {
    Array: concrete_array,
    Scalar: lambda scalar: python_type(scalar.kind)(1),
    Static: lambda static: static.value,
    Tuple: lambda items: tuple(map(concrete, items.items)),
    List: lambda items: list(map(concrete, items.items)),
    Slice: lambda parts: slice(*map(concrete, (parts.start, parts.stop, parts.step))),
    Builtin: lambda builtin: python_type(builtin.name),
    DType: lambda dtype: jnp.dtype(dtype.name),
    Named: lambda named: public(named.path),
    Dots: lambda _: ...,
    Key: lambda _: jax.random.key(0),
    CallValue: concrete_call,
}


def python_type(name: str) -> type:
    return {"bool": bool, "int": int, "float": float, "complex": complex}[name]


def public(path: str) -> Any:
    return operator.attrgetter(path.removeprefix("jax."))(jax)


def run(called: Call) -> Any:
    """What JAX itself makes of the call."""
    args = [concrete(value) for value in called.args]
    kwargs = {name: concrete(value) for name, value in called.kwargs.items()}
    kind, _, name = called.function.rpartition(":")
    if kind == "attribute":
        return getattr(args[0], name)
    if kind == "method":
        return getattr(args[0], name)(*args[1:], **kwargs)
    if kind == "update":
        return getattr(args[0].at[args[1]], name)(*args[2:], **kwargs)
    if name.startswith("operator."):
        return getattr(operator, name.removeprefix("operator."))(*args)
    if name == "value":
        return args[0](*args[1:], **kwargs)
    return public(name)(*args, **kwargs)


#: What the parts of a call that are not known are tried with.
SIZES, SYMBOLS = (0, 1, 1, 2, 3, 6), {"B": 4, "D": 5, "T": 7}
#: The ranks and dtypes of arrays of which nothing is known.
RANKS, DTYPES = (0, 0, 0, 1, 2, 3, 7), ("float32", "int32", "bool")
SCALARS = {"int": range(-3, 5), "float": (0.5, 2.0, -1.0, 3.0, 7.25), "bool": (False, True), "complex": (1j,)}


def accepting(called: Call, tries: int = 40) -> Call | None:
    """The call with sizes, numbers and arrays in place of unknown ones, such that JAX accepts it; None if none does."""
    choose = random.Random(str(called))
    for equal in (0, 1, 2, *(None,) * tries):
        sizes = SIZES if equal is None else (equal,)

        def known(part: Value, sizes: Sequence[int] = sizes) -> Value:
            if isinstance(part, Anything):
                part = Array.of(None, False, None)
            if isinstance(part, Array):
                unknown = (None,) * choose.choice(RANKS) if part.shape is None else part.shape
                dims = [choose.choice(sizes) if dim is None else dim for dim in unknown]
                dtype = part.dtype or choose.choice(DTYPES)
                known = tuple(SYMBOLS.get(str(dim), dim) for dim in dims)
                return replace(part.with_dtype(dtype, part.weak), shape=known)
            return Static(choose.choice(SCALARS[part.kind])) if isinstance(part, Scalar) else part

        args = tuple(transform(arg, known) for arg in called.args)
        kwargs = {name: transform(arg, known) for name, arg in called.kwargs.items()}
        try:
            run(Call(called.function, args, kwargs))
        except (TypeError, ValueError, IndexError, ZeroDivisionError, AssertionError):
            continue
        return Call(called.function, args, kwargs)
    return None
