"""The systems "jax", "jax-strict" and "lax" against the installed JAX's own operations."""

import functools
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

jax = pytest.importorskip("jax", reason="this environment tests the systems of other libraries")

import sweeps
from jaxtyping_core import dtypes
from jaxtyping_core.lattice import NODES
from jaxtyping_core.promotion import find, resolve, result_type

MODES = [(system, x64) for system in ("jax", "jax-strict", "lax") for x64 in (False, True)]
available = [node for node in NODES if node in dtypes.WEAK or node in dtypes.available()]


def struct(node, x64):
    """An abstract scalar such as a real program holds: its dtype exists in the x64 mode."""
    dtype = dtypes.numpy_dtype(dtypes.canonical(resolve(node, x64), x64))
    return jax.ShapeDtypeStruct((), dtype, weak_type=node in dtypes.WEAK)


def mode(system, x64):
    promotion = "strict" if system == "jax-strict" else "standard"
    return jax.enable_x64(x64), jax.numpy_dtype_promotion(promotion)


def jax_answer(operation, system, x64, nodes):
    """(dtype, weak type) of the operation; None where JAX refuses the dtypes."""
    with mode(system, x64)[0], mode(system, x64)[1]:
        try:
            out = jax.eval_shape(operation, *(struct(node, x64) for node in nodes))
        except (TypeError, ValueError):
            return None
    return out.dtype.name, out.weak_type


def our_answer(system, x64, nodes):
    node = find(nodes, system, x64)
    return None if node is None else (resolve(node, x64), node in dtypes.WEAK)


def add(x, y):
    return x + y


@functools.cache
def answers(system, x64):
    """{pair: (ours, JAX's)} for every ordered pair."""
    operation = jax.lax.add if system == "lax" else add
    return {
        pair: (our_answer(system, x64, pair), jax_answer(operation, system, x64, pair))
        for pair in itertools.product(available, repeat=2)
    }


#: Pairs where a system promises more than the operation that it is compared with.
DIFFERENCES = {
    "lax": ({("bool", "bool")}, "lax.add is not defined for bools; other operations of jax.lax are"),
}


@pytest.mark.parametrize(("system", "x64"), MODES)
def test_every_pair(system: str, x64: bool) -> None:
    differing = {pair for pair, (ours, theirs) in answers(system, x64).items() if ours != theirs}
    assert differing == DIFFERENCES.get(system, (set(), ""))[0]


def test_the_pairs_are_all_there_and_some_are_errors() -> None:
    """1,225 pairs over 35 nodes (fewer where ml_dtypes lacks a dtype); about half of them are errors."""
    promoted = [ours for ours, _ in answers("jax", True).values() if ours]
    assert len(answers("jax", True)) == len(available) ** 2
    if len(available) == 35:
        assert (len(answers("jax", True)), len(promoted)) == (1225, 607)


def test_strong_operands_may_give_a_weak_result() -> None:
    weak = {
        pair
        for pair, (ours, _) in answers("jax", True).items()
        if ours and ours[1] and not set(pair) & set(dtypes.WEAK)
    }
    signed = ["int8", "int16", "int32", "int64"]
    assert weak == {*itertools.product(["uint64"], signed), *itertools.product(signed, ["uint64"])}


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(available), min_size=3, max_size=5), st.booleans())
def test_several_operands(nodes: list[str], x64: bool) -> None:
    theirs = jax_answer(lambda *xs: jax.numpy.stack(xs), "jax", x64, nodes)
    ours = our_answer("jax", x64, tuple(nodes))
    assert (ours and ours[0]) == (theirs and theirs[0])


@pytest.mark.parametrize("x64", [False, True])
def test_values(x64: bool) -> None:
    """Arrays, tracers and scalars as operands, with the setting read from JAX itself."""
    with jax.enable_x64(x64):
        jnp = jax.numpy
        values = [
            True,
            1,
            2.0,
            1j,
            jnp.ones(3, "int8"),
            jnp.asarray(2),
            jnp.asarray(2.0),
            jnp.ones((), "bfloat16"),
        ]
        values += [dtypes.numpy_dtype(name).type(1) for name in ("float16", "int32", "bfloat16")]
        for x, y in sweeps.some("promotion", [*itertools.product(values, repeat=2)]):
            traced = []
            out = jnp.add(x, y)
            jax.jit(lambda a, b, traced=traced: traced.append(result_type(a, b)))(x, y)
            assert result_type(x, y) == (out.dtype, out.weak_type)
            assert traced == [(out.dtype, out.weak_type)]


def test_the_dtype_table_is_jaxs() -> None:
    from jax._src import dtypes as jax_dtypes

    assert {dtypes.numpy_dtype(name) for name in dtypes.available()} == jax_dtypes._jax_dtype_set
