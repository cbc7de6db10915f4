"""mypy's messages in jaxtyping's form: what has one gets it, and all else stays as it is."""

from __future__ import annotations

import pytest

from jaxtyping_core_mypy.jaxtyping_notation import respelled

ROWS = {
    '"Array[floating, tuple[b, Literal[3]]]"': "\"Float[Array, 'b 3']\"",
    "Array[float32, tuple[()]] | None": "Float32[Array, ''] | None",
    "Array[Any, tuple[Literal['n + 1'], Any]]": "Shaped[Array, 'n + 1 _']",
    "Array[signedinteger, tuple[*tuple[Any, ...], n]]": "Int[Array, '... n']",
    "tuple[Array[bool_, tuple[Any, ...]], int]": "tuple[Bool[Array, '...'], int]",
    "list[Array[complexfloating, Any]]": "list[Complex[Array, '...']]",
    "Array[weak_float, tuple[()]]": "Array[weak_float, tuple[()]]",
    "Array[float32, Shape]": "Array[float32, Shape]",
    "jax.Array[Any, Any], MyArray[int, str], Array[": "jax.Array[Any, Any], MyArray[int, str], Array[",
    "no array": "no array",
}


@pytest.mark.parametrize("message", ROWS)
def test_arrays_are_respelled(message: str) -> None:
    assert respelled(message) == ROWS[message]
