"""`NamedShape` is a tuple to everything that takes a shape, with names."""

from __future__ import annotations

import copy
import functools
import operator
import pickle
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxtyping_core.typing import Array, Float32, NamedShape

SHAPE = NamedShape(batch=8, width=32)


def test_reading() -> None:
    assert SHAPE == (8, 32) and tuple(SHAPE) == (8, 32) and len(SHAPE) == 2
    assert (SHAPE.batch, SHAPE["width"], SHAPE[0], SHAPE[-1]) == (8, 32, 8, 32)
    assert SHAPE.names == ("batch", "width")
    assert SHAPE._asdict() == {"batch": 8, "width": 32}
    assert SHAPE._replace(batch=1) == NamedShape(batch=1, width=32)
    assert repr(SHAPE) == "NamedShape(batch=8, width=32)" and eval(repr(SHAPE)) == SHAPE
    assert {"batch", "width", "names", "index"} <= set(dir(SHAPE))


def test_making() -> None:
    assert NamedShape({"batch": 8}, width=32) == NamedShape([("batch", 8), ("width", 32)]) == SHAPE
    assert NamedShape() == () and NamedShape().names == ()
    sizes = NamedShape(a=np.int64(2), b=jnp.int32(3), c=True)
    assert [type(size) for size in sizes] == [int, int, int]


def test_slices_and_sums_are_plain() -> None:
    for plain in (SHAPE[:1], SHAPE + (1,), SHAPE + SHAPE, 2 * SHAPE):  # noqa: RUF005
        assert type(plain) is tuple


def test_equality() -> None:
    plain = (8, 32)
    assert hash(SHAPE) == hash(plain) and len({SHAPE, plain}) == 1
    other = NamedShape(width=8, batch=32)
    pairs = [
        (SHAPE, plain),
        (plain, SHAPE),
        (SHAPE, other),
        (other, SHAPE),
        (SHAPE, (8, 33)),
        (SHAPE, [8, 32]),
    ]
    assert [operator.eq(a, b) for a, b in pairs] == [True, True, False, False, False, False]
    assert [operator.ne(a, b) for a, b in pairs] == [False, False, True, True, True, True]


@settings(deadline=None)
@given(st.dictionaries(st.from_regex(r"dim_[a-z]{1,5}", fullmatch=True), st.integers(0, 99), max_size=5))
def test_generated_shapes_survive(dims: dict[str, int]) -> None:
    shape = NamedShape(dims)
    assert shape == tuple(dims.values()) and shape.names == tuple(dims)
    assert all(getattr(shape, name) == shape[name] == size for name, size in dims.items())
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(shape, protocol))
        assert (type(again), again, again.names) == (NamedShape, shape, shape.names)
    for again in (copy.copy(shape), copy.deepcopy(shape), eval(repr(shape))):
        assert (type(again), again, again.names) == (NamedShape, shape, shape.names)


@pytest.mark.parametrize(
    "use",
    [
        jnp.zeros,
        jnp.ones(256).reshape,
        lambda shape: jnp.broadcast_to(1.0, shape),
        lambda shape: jax.random.normal(jax.random.key(0), shape),
        lambda shape: jax.eval_shape(lambda x: x, jax.ShapeDtypeStruct(shape, "float32")),
        lambda shape: jnp.asarray(np.zeros(shape)),
        lambda shape: jax.jit(lambda: jnp.zeros(shape))(),
        lambda shape: jax.jit(jnp.zeros, static_argnums=0)(shape),
    ],
)
def test_jax_takes_it(use: Any) -> None:
    assert use(SHAPE).shape == SHAPE


def test_jit_keeps_named_shapes_apart() -> None:
    @functools.partial(jax.jit, static_argnums=0)
    def rows(shape: NamedShape) -> Array:
        return jnp.ones(shape).sum(shape.names.index("width"))

    assert isinstance(rows(NamedShape(width=2, batch=3)), Float32)
    assert rows(NamedShape(width=2, batch=3)).shape == (3,)
    assert rows(NamedShape(batch=2, width=3)).shape == (2,)  # the same sizes, another program


REFUSED: list[tuple[Any, type[Exception], str]] = [
    (lambda: NamedShape(a=-1), ValueError, "The dim 'a' has the size -1. A size is 0 or more"),
    (
        lambda: NamedShape(a=1.5),
        TypeError,
        "The dim 'a' has the size 1.5 of type float. A size is an integer",
    ),  # type: ignore[arg-type]
    (lambda: NamedShape(a="3"), TypeError, "has the size '3' of type str"),  # type: ignore[arg-type]
    (lambda: NamedShape(a=None), TypeError, "of type NoneType"),  # type: ignore[arg-type]
    (lambda: NamedShape([("a", 1), ("a", 2)]), ValueError, "The dim 'a' appears twice"),
    (lambda: NamedShape({"a": 1}, a=2), ValueError, "The dim 'a' appears twice"),
    (lambda: NamedShape([(1, 2)]), TypeError, "The name of a dim is a string, got 1"),  # type: ignore[list-item]
    (lambda: NamedShape(count=1), ValueError, "'count' cannot name a dim"),
    (lambda: NamedShape(names=1), ValueError, "'names' cannot name a dim"),
    (lambda: NamedShape(_a=1), ValueError, "'_a' cannot name a dim"),
    (lambda: NamedShape({"a b": 1}), ValueError, "'a b' cannot name a dim"),
    (lambda: SHAPE["depth"], KeyError, "has no dim 'depth'. Its dims are batch, width"),
    (lambda: SHAPE.depth, AttributeError, "no dim or attribute 'depth'"),
    (lambda: SHAPE[2], IndexError, "out of range"),
    (lambda: SHAPE._replace(depth=1), KeyError, "has no dim 'depth'"),
    (lambda: setattr(SHAPE, "batch", 9), AttributeError, "cannot be changed"),
    (lambda: delattr(SHAPE, "_names"), AttributeError, "cannot be changed"),
]


@pytest.mark.parametrize(("call", "error", "message"), REFUSED, ids=[case[2][:30] for case in REFUSED])
def test_refused(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
