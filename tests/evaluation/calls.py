"""Calls in the protocol's encoding, and what JAX itself makes of them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.protocol import Answer, Value, request


class Call(NamedTuple):
    """A call in the protocol's encoding."""

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


def array(dtype: str | None, *dims: int | str | None, weak: bool = False) -> Value:
    return ["array", dtype, weak, list(dims)]


def static(value: Any) -> Value:
    return ["static", value]


def group(*values: Value) -> Value:
    return ["tuple", list(values)]


def ints(*values: int) -> Value:
    return group(*map(static, values))


ALL = ["slice", static(None), static(None), static(None)]
F, H, I, U, B, C = (
    array(dtype, 3, 4) for dtype in ("float32", "float16", "int32", "uint8", "bool", "complex64")
)
VECTOR, SCALAR, SQUARE = array("float32", 4), array("float32"), array("float32", 3, 3)
WEAK_INT, WEAK_FLOAT = array("int32", 3, 4, weak=True), array("float32", 3, 4, weak=True)


def concrete(value: Value) -> Any:
    """The Python object that an encoded value stands for."""
    tag, *rest = value
    match tag:
        case "array":
            dtype, weak, dims = rest
            if weak:
                return jnp.broadcast_to(jnp.asarray(1.0 if "float" in dtype else 1), dims)
            return jnp.ones(dims, dtype)
        case "scalar":
            return python_type(rest[0])(1)
        case "tuple":
            return tuple(map(concrete, rest[0]))
        case "list":
            return [concrete(item) for item in rest[0]]
        case "slice":
            return slice(*map(concrete, rest))
        case "builtin":
            return python_type(rest[0])
    simple: dict[str, Callable[[], Any]] = {
        "static": lambda: rest[0],
        "dtype": lambda: jnp.dtype(rest[0]),
        "named": lambda: public(rest[0]),
        "ellipsis": lambda: ...,
        "key": lambda: jax.random.key(0),
    }
    return simple[tag]()


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
    return public(name)(*args, **kwargs)
