"""The numbers that are followed through the equations of JAX are those that JAX computes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jaxtyping_core.engine.rules import arithmetic

INTS = np.array([[3, -7, 0], [127, 2, -128]], np.int32)
#: Functions of a table of ints, whose numbers are known.
KNOWN: dict[str, Callable[[Any], Any]] = {
    "sums": lambda x: x + 2 - x[0],
    "products that leave the dtype": lambda x: x.astype("int8") * jnp.int8(100),
    "ranges": lambda x: jnp.arange(3)[::-1] * 2 + 1,
    "a range on a second axis": lambda x: lax.broadcasted_iota(jnp.int32, (2, 3, 4), 1),
    "a range on a first axis": lambda x: lax.broadcasted_iota(jnp.int32, (2, 3), 0),
    "conditions": lambda x: jnp.where(x > 0, x, -x),
    "bounds": lambda x: jnp.clip(x, 0, 5),
    "another order": lambda x: x.T.reshape(2, 3),
    "parts": lambda x: jnp.concatenate([x[:, 1:], x[:, :1]], axis=1),
    "every second": lambda x: x[:, ::2],
    "powers": lambda x: x**3,
    "words of no sign": lambda x: x.astype("uint8") - jnp.uint8(9),
    "comparisons": lambda x: (x == 0) | (x < 3),
    "sums along an axis": lambda x: x.sum(0),
    "products along an axis": lambda x: x.prod(1),
    "one number": lambda x: x[1, 0],
    "a jitted function": lambda x: jax.jit(lambda y: y.max(initial=0) if y.ndim == 9 else y * 2)(x),
    "indices from the end": lambda x: jnp.where(x < 0, x + 128, x)[None, :, 1],
}
#: Functions whose numbers are not followed.
UNKNOWN: dict[str, Callable[[Any], Any]] = {
    "floats": lambda x: x * 1.5,
    "the place of the largest": lambda x: x.argmax(),
    "a loop": lambda x: lax.fori_loop(0, 3, lambda i, c: c + i, 0),
    "many numbers": lambda x: jnp.arange(10_000),
}


def followed(f: Callable[[Any], Any]) -> Any:
    """The numbers that a function gives, as they are known."""
    traced = jax.make_jaxpr(f)(INTS)
    jaxpr = traced.jaxpr
    constants = dict(zip(jaxpr.constvars, traced.consts, strict=True))
    assert not constants  # which only a walk knows

    def run() -> Iterator[Any]:
        return (yield from arithmetic.of_function(traced, [INTS]))

    steps = run()
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            return ended.value[0]


@pytest.mark.parametrize("name", KNOWN)
def test_known_numbers(name: str) -> None:
    made, expected = followed(KNOWN[name]), KNOWN[name](jnp.asarray(INTS))
    assert made.dtype == expected.dtype and np.array_equal(made, expected)


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown_numbers(name: str) -> None:
    assert followed(UNKNOWN[name]) is None
