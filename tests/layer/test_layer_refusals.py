"""What the layer refuses, and what it says."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxtyping_core as jc
import jaxtyping_core.numpy as lnp

x = lnp.ones((2, 3))
small = lnp.ones(3, "int8")

REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: lnp.add(x, "1"), TypeError, "expected an array, a NumPy scalar or a Python scalar, got '1' of type str"),
    (lambda: lnp.add(x, [1, 2, 3]), TypeError, r"got \[1, 2, 3\] of type list. Use asarray"),
    (lambda: lnp.add(x, None), TypeError, "got None of type NoneType"),
    (lambda: lnp.sin(object()), TypeError, "got <object object"),
    (lambda: lnp.sum(datetime), TypeError, "of type module"),
    (lambda: x + object(), TypeError, "unsupported operand"),
    (lambda: object() * x, TypeError, "unsupported operand"),
    (lambda: lnp.add(x, np.array([None, 1, 2])), TypeError, "arrays of dtype object cannot be computed with"),
    (lambda: x + np.array(["a"]), TypeError, "arrays of dtype str"),
    (lambda: x + np.array(["2026-11-21"], "datetime64[D]"), TypeError, "arrays of dtype datetime64"),
    (lambda: lnp.add(x, jax.random.key(0)), TypeError, r"arrays of dtype key<fry> cannot be computed with"),
    (lambda: lnp.ones(2, "float8_e4m3fn") + lnp.ones(2, "bfloat16"), jc.PromotionError,
     "'float8_e4m3fn' and 'bfloat16' have no common dtype in promotion system 'jax'"),
    (lambda: lnp.add(small, 1.0, system="jax-strict"), jc.PromotionError, "cast 'int8' first"),
    (lambda: lnp.concat([small, x[0]], system="lax"), jc.PromotionError, "in promotion system 'lax'"),
    (lambda: lnp.divide(small, small, system="lax"), jc.PromotionError, "'int8' and 'weak_float'"),
    (lambda: x + lnp.ones(4), (TypeError, ValueError), r"(?i)(incompatible shapes|broadcast)"),
    (lambda: x @ x, (TypeError, ValueError), "contracting dimension"),
    (lambda: small * 300, OverflowError, r"the Python integer 300 is out of bounds for int8 \(-128 to 127\)"),
    (lambda: lnp.ones(2, "uint8") - (-1), OverflowError, "-1 is out of bounds for uint8"),
    (lambda: lnp.ones(2, "int4") + 8, OverflowError, "8 is out of bounds for int4"),
    (lambda: x.at[0].set(1j), jc.PromotionError, "in an array of 'float32'"),
    (lambda: small.at[0].add(1.5), jc.PromotionError, "in an array of 'int8'"),
    (lambda: small.at[0].set(300), OverflowError, "out of bounds for int8"),
    # What JAX casts to the dtype of the result is not wrapped either.
    (lambda: lnp.max(small, initial=300), OverflowError, "out of bounds for int8"),
    (lambda: small.min(initial=-300), OverflowError, "out of bounds for int8"),
    (lambda: lnp.prod(small, dtype="int8", initial=300), OverflowError, "out of bounds for int8"),
    (lambda: lnp.pad(small, 1, constant_values=(0, 300)), OverflowError, "out of bounds for int8"),
    (lambda: lnp.take(small, 9, mode="fill", fill_value=300), OverflowError, "out of bounds for int8"),
    (lambda: lnp.unique(small, size=9, fill_value=300), OverflowError, "out of bounds for int8"),
    (lambda: small.at[9].get(mode="fill", fill_value=300), OverflowError, "out of bounds for int8"),
    (lambda: lnp.add(x, x, system="nmpy"), jc.UnknownNameError, "the nearest names are 'numpy'"),
    (lambda: bool(x), ValueError, "ambiguous"),
    (lambda: x[0.5], TypeError, "(?i)index"),
    (lambda: lnp.asarray([[1], [1, 2]]), (TypeError, ValueError), "(?i)array"),
    (lambda: x.__array_namespace__(api_version="1066.10"), ValueError, "1066.10"),
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(REFUSED)))
def test_refused(place: int) -> None:
    call, error, message = REFUSED[place]
    with pytest.raises(error, match=message):
        call()


def test_under_jit_too() -> None:
    with pytest.raises(OverflowError, match="out of bounds for int8"):
        jax.jit(lambda y: y * 300)(small)
    with pytest.raises(jc.PromotionError):
        lnp.jit(lambda a, b: a + b)(lnp.ones(2, "float8_e4m3fn"), lnp.ones(2, "bfloat16"))


def test_a_weak_int_where_it_fits() -> None:
    assert (small * 127).tolist() == [127] * 3
    assert (lnp.ones(1, "uint32") * 3_000_000_000).tolist() == [3_000_000_000]
    assert (True + small).dtype == "int8"
    assert (small * True).dtype == "int8"
    assert (small + 1.5).dtype == "float32"
    assert lnp.add(1, 2).weak_type


def test_jax_never_promotes_by_itself() -> None:
    """A promotion that the layer did not decide is an error, also where JAX's own setting allows it."""
    seen = []

    def spy(a: Any, b: Any) -> Any:
        seen.append(jax.config.jax_numpy_dtype_promotion)
        return jnp.add(a, b)

    from jaxtyping_core.numpy._calls import strict

    with pytest.raises(
        jax.dtypes.TypePromotionError if hasattr(jax.dtypes, "TypePromotionError") else ValueError
    ):
        strict(spy)(jnp.ones(2, "int8"), jnp.ones(2))
    assert seen == ["strict"]


def test_numpy_and_jax_arrays_beside_layer_arrays() -> None:
    for other in (np.ones(3, "float32"), np.float32(1), 1, True):
        for result in (other + x, x + other, other < x, other * x):
            assert type(result) is lnp.Array
    assert type(x + jnp.ones(3)) is lnp.Array
    assert type(jnp.ones(3) + x) is not lnp.Array, "JAX's operator takes whatever has __jax_array__"
    assert (x == "a") is False
