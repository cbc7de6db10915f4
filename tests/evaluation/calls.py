"""Calls in the protocol's encoding."""

from __future__ import annotations

from typing import Any, NamedTuple

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


def array(dtype: str, *dims: int | str | None, weak: bool = False) -> Value:
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
