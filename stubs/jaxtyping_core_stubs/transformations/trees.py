"""The rows of functions on trees of arrays."""

from __future__ import annotations

from .rows import Function, Row

_TREE = {"tree": "Any", "leaves": "Iterable[Any]"}

FUNCTIONS = (
    Function("stop_gradient", ("jax.lax.stop_gradient",), (Row("T", {"x": "T"}),)),
    Function("block_until_ready", ("jax.block_until_ready",), (Row("T", {"x": "T"}),)),
)
