"""What others do with arrays of the layer: functions of ``jax.lax``, gradients of JAX, exporting, parameters of flax."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flax import nnx
from jax import export, lax

import jaxtyping_core.numpy as lnp

pytestmark = pytest.mark.sweep("layer")

SQUARE = [[4.0, 1.0], [1.0, 3.0]]
OF_JAX: list[Callable[[Any], Any]] = [
    lambda x: lax.add(x, x),
    lax.exp,
    lax.rsqrt,
    lax.cumsum,
    lambda x: lax.dot(x, x),
    lambda x: lax.select(x > 1, x, x * 2),
    lambda x: lax.top_k(x, 1)[0],
    lambda x: lax.broadcast(x, (3,)),
    lambda x: lax.conv(x[None, None], x[None, None], (1, 1), "SAME"),
    lambda x: lax.dynamic_slice(x, (0, 1), (1, 1)),
    lambda x: jax.scipy.linalg.cholesky(x),
    lambda x: jax.random.permutation(jax.random.key(0), x),
    lambda x: jax.random.gamma(jax.random.key(0), x),
    lambda x: jax.nn.softmax(x),
]


@pytest.mark.parametrize("function", OF_JAX)
def test_functions_of_jax_take_arrays_of_the_layer(function: Callable[[Any], Any]) -> None:
    # Of values of JAX and of the layer, JAX makes the same program.
    assert str(jax.make_jaxpr(function)(lnp.asarray(SQUARE))) == str(
        jax.make_jaxpr(function)(jnp.asarray(SQUARE))
    )


def test_outside_of_a_trace_too() -> None:
    x = lnp.asarray(SQUARE)
    assert lax.add(x, x).tolist() == [[8, 2], [2, 6]]
    assert jax.jit(lax.neg)(x).tolist() == [[-4, -1], [-1, -3]]
    assert jax.vmap(lax.neg)(x).tolist() == [[-4, -1], [-1, -3]]


def test_what_jax_says_of_an_array() -> None:
    x = lnp.ones((2, 3), "float16")
    assert str(jax.typeof(x)) == "float16[2,3]"
    assert jax.tree_util.keystr(jax.tree_util.tree_leaves_with_path({"a": x})[0][0]) == "['a'].value"


@pytest.mark.parametrize("transform", [jax.grad, jax.value_and_grad])
def test_a_gradient_of_jax_names_the_remedy(transform: Any) -> None:
    x = lnp.ones(3)
    with pytest.raises(ValueError, match=r"Use jaxtyping_core\.numpy\.grad, or return its \.value"):
        transform(lambda x: (x**2).sum())(x)
    assert lnp.grad(lambda x: (x**2).sum())(x).tolist() == [2, 2, 2]
    assert type(jax.grad(lambda x: (x**2).sum().value)(x)) is lnp.Array


def test_exporting() -> None:
    pytest.importorskip("flatbuffers", reason="what JAX writes exported functions with")
    x = lnp.ones(3)
    written = export.export(lnp.jit(lambda x: x + 1))(x).serialize()
    assert export.deserialize(written).call(x).tolist() == [2, 2, 2]


def test_calling_what_is_exported() -> None:
    x = lnp.ones(3)
    out = export.export(lnp.jit(lambda x: x + 1))(x).call(x)
    assert type(out) is lnp.Array
    assert out.tolist() == [2, 2, 2]


@pytest.mark.parametrize("xp", [jnp, lnp])
def test_parameters_of_flax(xp: Any) -> None:
    x, parameter = lnp.ones((2, 3), "int16"), nnx.Param(xp.full((3, 3), 2, "float16"))
    with lnp.promotion("numpy"):
        for out in (x @ parameter, lnp.matmul(x, parameter), lnp.einsum("ij,jk", x, parameter)):
            assert type(out) is lnp.Array
            assert (out.dtype, out.tolist()) == ("float32", [[6] * 3] * 2)
        assert (x + parameter[0]).dtype == "float32"
        assert lnp.exp(parameter).dtype == "float16"
        assert lnp.stack([parameter, parameter]).shape == (2, 3, 3)


def test_the_left_operand_is_a_parameter() -> None:
    out = nnx.Param(lnp.ones((3, 3))) @ lnp.ones(3)
    assert out.tolist() == [3, 3, 3]


METHODS: list[Callable[[Any, Any], Any]] = [
    lambda f, x: f.reduce(x),
    lambda f, x: f.accumulate(x, axis=1),
    lambda f, x: f.reduceat(x[0], np.asarray([0, 2])),
    lambda f, x: f.reduce(x, axis=1, keepdims=True),
    lambda f, x: f.outer(x[0], x[1]),
    lambda f, x: f.at(x, 0, x[1], inplace=False),
]
UFUNCS = [name for name in dir(jnp) if isinstance(getattr(jnp, name), jnp.ufunc)]


@pytest.mark.parametrize("name", UFUNCS)
def test_methods_of_ufuncs(name: str) -> None:
    ours, theirs = getattr(lnp, name), getattr(jnp, name)
    assert (ours.nin, ours.nout, ours.nargs, ours.identity) == (
        *(theirs.nin, theirs.nout, theirs.nargs),
        theirs.identity,
    )
    dtypes = {
        "bitwise": "int32",
        "logical": "bool",
    }  # of others JAX mixes two dtypes, which strict mode refuses
    x = jnp.asarray([[3, 1, 2], [4, 0, 5]], dtypes.get(name.partition("_")[0], "float32"))
    calls = METHODS[UFUNCS.index(name) % 3 :: 3] if ours.nin == 2 else []
    for call in calls:
        out, expected = call(ours, lnp.asarray(x)), call(theirs, x)
        assert type(out) is lnp.Array
        assert out.dtype == expected.dtype
        np.testing.assert_array_equal(out, expected)


def test_methods_of_ufuncs_follow_the_system() -> None:
    x, y = np.ones(3, "int8"), np.ones(2, "float16")
    with jax.enable_x64(True), lnp.promotion("numpy"):
        for method in ("reduce", "accumulate"):
            for name in ("add", "multiply", "maximum"):
                ours = getattr(getattr(lnp, name), method)(lnp.asarray(x))
                assert ours.dtype == getattr(getattr(np, name), method)(x).dtype
        assert lnp.add.outer(lnp.asarray(x), lnp.asarray(y)).dtype == np.add.outer(x, y).dtype
        with pytest.raises(TypeError, match="in an array of 'int8'"):
            lnp.add.at(lnp.asarray(x), 0, 1.5, inplace=False)
    with pytest.raises(NotImplementedError, match="inplace=False"):
        lnp.add.at(lnp.asarray(x), 0, 1)


GRIDS: list[Callable[[Any, Any], Any]] = [
    lambda xp, x: xp.r_[1:3, x],
    lambda xp, x: xp.r_[x, 2, [1, 2]],
    lambda xp, x: xp.r_[1:2:3j, x],
    lambda xp, x: xp.r_["0,2,0", x, x],
    lambda xp, x: xp.r_[1, 2.5],
    lambda xp, x: xp.c_[x, x],
    lambda xp, x: xp.c_[1:4, x],
    lambda xp, x: xp.mgrid[0:2, 0:1.5],
    lambda xp, x: xp.mgrid[1:4],
    lambda xp, x: xp.ogrid[0:2, 0:3][1],
]


@pytest.mark.parametrize("make", GRIDS)
def test_grids(make: Callable[[Any, Any], Any]) -> None:
    x = np.asarray([3, 1, 2], ("int8", "float16", "uint64")[GRIDS.index(make) % 3])
    with jax.enable_x64(True):
        for system, xp in (("jax", jnp), ("numpy", np)):
            with lnp.promotion(system):
                ours, theirs = make(lnp, lnp.asarray(x)), make(xp, xp.asarray(x))
            assert type(ours) is lnp.Array
            assert ours.dtype == theirs.dtype
            np.testing.assert_array_equal(ours, theirs)


def test_grids_promote() -> None:
    with lnp.promotion("lax"), pytest.raises(TypeError, match="no common dtype"):
        lnp.r_[lnp.ones(2, "int8"), lnp.ones(2, "int16")]


def test_methods_have_signatures() -> None:
    for name in ("to_device", "astype", "view"):
        assert inspect.signature(getattr(lnp.Array, name)) == inspect.signature(getattr(jax.Array, name))
    assert "dl_device" in inspect.signature(lnp.Array.__dlpack__).parameters
