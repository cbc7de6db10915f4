"""The dtype classes stand for their dtypes wherever NumPy and JAX take one."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyping_core import dtypes
from jaxtyping_core import typing as jt

NAMES = [name for name in dtypes.available() if dtypes.DTYPES[name].promotes]
each_dtype = pytest.mark.parametrize("name", NAMES)
ABSTRACT = (*dtypes.ABSTRACT, *dtypes.WEAK)


def class_of(name: str) -> Any:
    return getattr(jt, dtypes.DTYPES[name].class_name)


@each_dtype
def test_numpy_and_jax_read_the_dtype(name: str) -> None:
    dtype_class, dtype = class_of(name), dtypes.numpy_dtype(name)
    assert dtype_class.dtype == np.dtype(dtype_class) == jnp.dtype(dtype_class) == dtype
    assert dtype_class == dtype and dtype == dtype_class
    assert isinstance(dtype_class.dtype, np.dtype)


USES = {
    "ShapeDtypeStruct": lambda d: jax.ShapeDtypeStruct((2,), d),
    "zeros": lambda d: jnp.zeros(3, d),
    "full": lambda d: jnp.full((2,), 1, dtype=d),
    "astype": lambda d: jnp.ones(3).astype(d),
    "view": lambda d: jnp.zeros(4, d).view(d),
    "asarray": lambda d: jnp.asarray(1, dtype=d),
    "lax": lambda d: jax.lax.convert_element_type(1, d),
    "call": lambda d: d(1),
    "jit": lambda d: jax.jit(lambda x: x.astype(d))(jnp.ones(3)),
    "static": lambda d: jax.jit(lambda t: jnp.zeros(2, t), static_argnums=0)(d),
}


@pytest.mark.parametrize("use", USES.values(), ids=list(USES))
@each_dtype
def test_jax_takes_the_class(name: str, use: Any) -> None:
    """The same call gives the same result with the class of ``jax.numpy``."""
    with jax.enable_x64(True):
        ours, theirs = (
            jax.eval_shape(lambda d=d: use(d)) if use is not USES["ShapeDtypeStruct"] else use(d)
            for d in (class_of(name), getattr(jnp, dtypes.DTYPES[name].class_name))
        )
    assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)


def test_a_call_makes_an_array() -> None:
    x = jt.float32(2)
    assert isinstance(x, jt.Float32[()]) and x == 2.0 and not x.weak_type
    assert jt.bool_(3) and jt.int8([1, 2]).shape == (2,)


def test_float0() -> None:
    assert np.zeros(2, jt.float0).dtype == jax.dtypes.float0
    with pytest.raises(TypeError, match=r"float0 has no values. Use numpy.zeros"):
        jt.float0(1)


def test_the_hierarchy_is_that_of_numpy() -> None:
    for name in NAMES:
        above = [base.__name__ for base in class_of(name).__mro__[1:-1]]
        assert above == list(dtypes.ancestors(name))
        assert all(jnp.issubdtype(class_of(name).dtype, getattr(np, base)) for base in above)
    assert issubclass(jt.float32, jt.floating) and not issubclass(jt.bool_, jt.number)


def test_a_weak_class_is_below_the_default_dtype_of_its_kind() -> None:
    for name, scalar in (("weak_int", 1), ("weak_float", 1.0), ("weak_complex", 1j)):
        assert getattr(jt, name).__base__ is getattr(jt, jnp.asarray(scalar).dtype.name)


@pytest.mark.parametrize("name", ABSTRACT)
@pytest.mark.parametrize("use", [lambda c: c.dtype, lambda c: c(1), np.dtype, lambda c: jnp.zeros(2, c)])
def test_abstract_and_weak_classes_are_no_dtypes(name: str, use: Any) -> None:
    with pytest.raises(TypeError, match=f"{name} is not a dtype of its own. (Use one of |A Python )"):
        use(getattr(jt, name))


def test_a_dtype_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise KeyError(name)

    monkeypatch.setattr(dtypes, "numpy_dtype", missing)
    with pytest.raises(
        TypeError, match=r"int1 is missing from the installed ml_dtypes\. A newer ml_dtypes has it"
    ):
        _ = jt.int1.dtype


def test_the_classes_are_documented() -> None:
    assert all(
        getattr(jt, name).__doc__ for name in (*ABSTRACT, *(dtypes.DTYPES[n].class_name for n in NAMES))
    )
