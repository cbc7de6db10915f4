"""The array of the layer, and the system in force."""

from __future__ import annotations

import copy
import pickle
import threading
import warnings
import weakref
from collections.abc import Callable

import beartype
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jaxtyping import Float, TypeCheckError, jaxtyped

import jaxtyping_core as jc
import jaxtyping_core.numpy as lnp
from jaxtyping_core.typing import Array, Float32, Int32


def test_an_array_is_what_it_holds() -> None:
    value = jnp.arange(6.0).reshape(2, 3)
    x = lnp.asarray(value)
    assert (x.shape, x.dtype, x.ndim, x.size, x.weak_type) == ((2, 3), np.dtype("float32"), 2, 6, False)
    assert x.device == value.device
    assert x.sharding == value.sharding
    assert repr(x) == repr(value)
    assert str(x) == str(value)
    assert x.value is value
    assert [row.tolist() for row in x] == value.tolist()
    assert len(x) == 2
    assert x[1, 2].item() == 5
    assert x[lnp.asarray([1, 0])].tolist() == value[jnp.array([1, 0])].tolist()
    assert x.T.shape == x.mT.shape == x.transpose(1, 0).shape == (3, 2)
    assert x.reshape(3, 2).shape == x.reshape((3, 2)).shape == (3, 2)
    assert 5.0 in x


def test_protocols() -> None:
    x = lnp.asarray(jnp.arange(3))
    assert np.asarray(x).tolist() == [0, 1, 2]
    on_the_cpu = x.to_device(jax.devices("cpu")[0])  # all that NumPy takes
    assert np.from_dlpack(on_the_cpu).tolist() == [0, 1, 2]
    assert isinstance(jnp.sin(x), jax.Array)
    assert x.__array_namespace__() is lnp
    for other in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert type(other) is lnp.Array
        assert other.tolist() == [0, 1, 2]
    assert [10, 20, 30][x[1]] == 20
    assert (int(x[2]), float(x[2]), complex(x[2]), bool(x[2]), f"{x[2]}") == (2, 2.0, 2 + 0j, True, "2")
    with pytest.raises(TypeError, match="immutable"):
        x[0] = 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)


def test_arrays_are_immutable() -> None:
    x = lnp.ones(3)
    for name in ("value", "shape", "T", "at"):
        with pytest.raises(AttributeError, match="immutable"):
            setattr(x, name, 1)
        with pytest.raises(AttributeError, match="immutable"):
            delattr(x, name)
    for name in ("foo", "_value", "sum"):  # as JAX's arrays
        with pytest.raises(AttributeError, match=name):
            setattr(x, name, 1)
    assert not hasattr(x, "foo")
    assert x.tolist() == [1, 1, 1]


def test_nothing_is_no_array() -> None:
    with pytest.raises(TypeError, match=r"holds no array\. Make one with asarray"):
        lnp.Array()


def test_weak_references() -> None:
    x = lnp.ones(3)
    reference = weakref.ref(x)
    assert reference() is x
    del x
    assert reference() is None


def test_libraries_take_it_for_an_array_of_jax() -> None:
    seen = []

    @jax.jit
    @jaxtyped(typechecker=beartype.beartype)
    def f(x: Float[jax.Array, "a b"]) -> Float[jax.Array, "b a"]:
        seen.append(isinstance(x, jax.Array))
        return x.T

    x = f(lnp.ones((2, 3)))
    assert type(x) is lnp.Array
    assert isinstance(x, lnp.Array)
    assert isinstance(x, jax.Array)
    assert issubclass(lnp.Array, jax.Array)
    assert eqx.is_array(x)
    assert seen == [True]
    assert type(lnp.tree.map(lambda leaf: leaf, [x])[0].value) is not lnp.Array
    assert jnp.ones(5)[lnp.asarray([1, 2])].shape == (2,)
    with pytest.raises(TypeCheckError):
        f(lnp.ones(3))
    assert jax.tree.leaves(eqx.combine(*eqx.partition({"a": x, "b": 1}, eqx.is_array)))[0] is x.value


def test_nothing_of_the_base_class_is_left() -> None:
    """Members of ``jax.Array`` are abstract: each is the layer's own."""
    members = {name for name in dir(jax.Array) if name not in dir(object)} | {"__eq__", "__ne__", "__lt__"}
    mine = lnp.ones((2, 3))
    for name in members - {"__module__", "__slots__", "__weakref__"}:
        assert getattr(lnp.Array, name) is not getattr(jax.Array, name), name
    for name in ("flat", "__numpy_dtype__"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert _said(lambda name=name: getattr(mine, name)) == _said(
                lambda name=name: getattr(mine.value, name)
            )
    assert lnp.asarray([1, 0]).choose([lnp.asarray([1, 2]), 4]).tolist() == [4, 2]


def _said(look: Callable[[], object]) -> str:
    try:
        return str(look())
    except NotImplementedError as error:  # `flat` is not implemented: the words are compared
        return str(error)


def test_isinstance() -> None:
    seen = []

    @jax.jit
    def f(x: lnp.Array) -> lnp.Array:
        seen.append((isinstance(x, Array), isinstance(x, Float32), isinstance(x, Int32)))
        return x

    x = f(lnp.ones(3))
    seen.append((isinstance(x, Array), isinstance(x, Float32), isinstance(x, Int32)))
    assert seen == [(True, True, False)] * 2


def test_pytree() -> None:
    x = lnp.ones(3)
    assert jax.tree.leaves({"a": x}) == [x.value]
    assert type(jax.tree.map(lambda leaf: leaf + 1, x)) is lnp.Array
    assert type(jax.tree.map(lambda leaf: None, x)) is lnp.Array
    assert type(jax.jit(lambda x: x)(x)) is lnp.Array
    assert type(jax.vmap(lambda x: x + 1)(x)) is lnp.Array


def test_the_system_in_force() -> None:
    half, whole = lnp.ones(3, "float16"), lnp.ones(3, "int32")
    assert (half + whole).dtype == "float16"
    with lnp.promotion("numpy"):
        assert lnp.current() == "numpy"
        assert (half + whole).dtype == "float32"  # float64, of which there is none with x64 off
        with lnp.promotion("lax"), pytest.raises(jc.PromotionError):
            half + whole
        assert lnp.current() == "numpy"
    assert lnp.current() == "jax"
    assert lnp.add(half, whole, system="numpy").dtype == "float32"
    assert lnp.promotion("torch")(lambda: lnp.current())() == "torch"
    with pytest.raises(jc.UnknownNameError, match="nearest names"):
        lnp.promotion("numpi")


def test_a_lattice_of_ones_own() -> None:
    halves = jc.Lattice({"int8": ["bfloat16"], "weak_float": ["bfloat16"], "bfloat16": ["float32"]})
    with lnp.promotion(halves):
        assert (lnp.ones(3, "int8") * 1.5).dtype == "bfloat16"
        with pytest.raises(jc.PromotionError):
            lnp.ones(3, "int8") + lnp.ones(3, "int16")


def test_a_compiled_function_belongs_to_its_system() -> None:
    traced = []

    @jax.jit
    def f(x: lnp.Array, y: lnp.Array) -> lnp.Array:
        traced.append(lnp.current())
        return x + y

    x, y = lnp.ones(3, "float16"), lnp.ones(3, "int32")
    for _ in range(2):
        assert f(x, y).dtype == "float16"
        with lnp.promotion("numpy"):
            assert f(x, y).dtype == "float32"
    assert traced == ["jax", "numpy"]


def test_the_default_of_the_process_and_threads() -> None:
    seen: dict[str, object] = {}

    def look(name: str, system: str | None) -> None:
        if system:
            with lnp.promotion(system):
                barrier.wait()
                seen[name] = (lnp.current(), (lnp.ones(3, "float16") + lnp.ones(3, "int32")).dtype.name)
        else:
            barrier.wait()
            seen[name] = (lnp.current(), (lnp.ones(3, "float16") + lnp.ones(3, "int32")).dtype.name)

    barrier = threading.Barrier(3)
    lnp.set_promotion("torch")
    try:
        threads = [threading.Thread(target=look, args=a) for a in (("a", "numpy"), ("b", "jax"), ("c", None))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        lnp.set_promotion("jax")
    assert seen == {"a": ("numpy", "float32"), "b": ("jax", "float16"), "c": ("torch", "float16")}


def test_a_lattice_without_python_scalars_makes_arrays() -> None:
    with lnp.promotion(jc.Lattice({"int8": ["float16"]})):
        assert lnp.ones(3).dtype == "float32"
        assert lnp.asarray([1, 2]).dtype == "int32"


def test_rounding_and_indices() -> None:
    x = lnp.asarray([1.26, 2.5])
    assert round(x).tolist() == [1, 2]
    np.testing.assert_allclose(round(x, 1), [1.3, 2.5])
    assert x[lnp.s_[1:]].tolist() == [2.5]


def test_einsum_with_lists_of_axes() -> None:
    x, y = lnp.ones((2, 3), "int8"), lnp.ones(3, "float16")
    assert lnp.einsum(x, [0, 1], y, [1], [0]).tolist() == [3, 3]
    with lnp.promotion("numpy"):
        assert lnp.einsum(x, [0, 1], lnp.ones(3, "int16"), [1]).dtype == "int16"


@pytest.mark.parametrize("system", [["jax"], 3])
def test_what_is_no_system(system: object) -> None:
    for use in (
        lambda: lnp.promotion(system),  # type: ignore[arg-type]
        lambda: lnp.add(1, 2, system=system),
        lambda: jc.promote_types("int8", "int16", system=system),  # type: ignore[arg-type]
    ):
        with pytest.raises(jc.UnknownNameError, match="is not a promotion system: expected a name"):
            use()
