"""Calls of which a size or a number is not known, and which JAX refuses all the same: their ranks are wrong.

A refusal is held against JAX with many sizes and numbers in place of those that are not known.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable

import pytest
from calls import (
    ALL,
    Call,
    accepting,
    array,
    call,
    group,
    ints,
)

from jaxtyping_core.domain.values import Anything, Array, Dots, Key, List, Named, Scalar, Static, Value
from jaxtyping_core.domain.values import Call as CallValue
from jaxtyping_core.evaluation.client import Evaluator

X, V, CUBE = array("float32", None, 3), array("float32", None), array("float32", 2, None, 8)
INDICES = array("int32", None)
#: An array of which nothing is known, and an argument that may be one or a number.
ANY_ARRAY, ANYTHING = Array.of(None, False, None), Anything(("array", "int", "float", "bool"))
N, HALF, ZERO, ONE, TWO = Scalar("int"), Scalar("float"), Static(0), Static(1), Static(2)
REFUSED = [
    # indices and slices
    call("lax.dynamic_update_slice", CUBE, array("float32", 2, 1, 8), group(ZERO, N)),
    call(
        "lax.dynamic_update_slice", array("float32", 2, 16, 8), array("float32", 1, 8), group(ZERO, N, ZERO)
    ),
    call("lax.dynamic_update_slice_in_dim", X, V, N, ZERO),
    call("lax.dynamic_slice", CUBE, group(ZERO, N), ints(1, 2, 3)),
    call("lax.slice", X, ints(0, 0, 0), ints(1, 1, 1)),
    call("jnp.take_along_axis", X, INDICES, axis=ONE),
    call("jnp.take_along_axis", X, array("int32", None, 2, 1), axis=Static(-1)),
    call("method:__getitem__", X, group(ZERO, N, ZERO)),
    call("method:__getitem__", array("float32", "B", None), group(ALL, ALL, ZERO)),
    call("update:set", X, group(N, ZERO, ZERO), ONE),
    # axes
    call("jnp.sum", X, axis=TWO),
    call("jnp.argsort", CUBE, axis=Static(-4)),
    call("jnp.squeeze", X, TWO),
    call("jnp.expand_dims", X, Static(4)),
    call("jnp.moveaxis", X, ZERO, TWO),
    call("jnp.transpose", X, ints(0, 1, 2)),
    call("lax.transpose", X, ints(0, 1, 2)),
    call("lax.cumsum", X, axis=TWO),
    call("nn.softmax", X, axis=TWO),
    call("jnp.trace", V),
    call("jnp.fft.fft2", V),
    call("jax.random.permutation", Key(), X, axis=TWO),
    # two arrays
    call("jnp.concatenate", group(X, V)),
    call("jnp.stack", List((X, V))),
    call("jnp.vstack", List((X, CUBE))),
    call("operator.matmul", X, array("float32")),
    call("lax.add", X, V),
    call("jnp.einsum", Static("ij,jk->ik"), X, V),
    call("jnp.tensordot", X, V, TWO),
    call("jnp.convolve", X, V),
    call("lax.conv", X, array("float32", None, 3, 2, 2), ints(1, 1), Static("SAME")),
    call("jax.scipy.signal.convolve", X, V),
    # one array
    call("jnp.diag", CUBE),
    call("jnp.linalg.inv", V),
    call("jnp.linalg.svd", V),
    call("jnp.tril", V),
    call("jnp.cov", CUBE),
    call("jnp.broadcast_to", CUBE, ints(2, 8)),
    call("jax.image.resize", CUBE, ints(4, 4), Static("nearest")),
    call("lax.reduce_window", X, Static(0.0), Named("jax.lax.add"), ints(2), ints(2), Static("VALID")),
    Call("value", (CallValue("jax.vmap", (Named("jax.numpy.sin"), TWO), {}), X), {}),
    # sizes that are no integers
    call("jnp.zeros", group(HALF)),
    call("jnp.zeros", group(HALF, N)),
    call("jnp.ones", HALF),
    call("jnp.full", group(array("float32"), TWO), ONE),
    call("jnp.reshape", X, group(HALF, Static(3))),
    call("method:reshape", X, Static(-1), HALF),
    call("jnp.broadcast_to", V, group(HALF, N)),
    call("jax.random.normal", Key(), group(HALF, TWO)),
    call("jnp.zeros", group(Static(2.0))),
    # whatever an array is of which nothing is known
    call("lax.dynamic_update_slice", CUBE, array("float32", 2, 1, 8), group(ZERO, ANY_ARRAY)),
    call("lax.dynamic_update_slice", CUBE, array("float32", 2, 1, 8), group(ANYTHING, ZERO)),
    call("lax.dynamic_slice", CUBE, group(ZERO, ANY_ARRAY), ints(1, 2)),
    call("update:set", X, group(ZERO, ZERO, ZERO), ANY_ARRAY),
    call("jnp.linalg.inv", Array.of(None, False, (None,))),
]
#: Calls that some size, number or key makes right.
OPEN = [
    call("jnp.add", X, array("float32", None, 4, 1)),
    call("lax.dynamic_update_slice", CUBE, array("float32", 2, 1, 8), group(ZERO, N, ZERO)),
    call("jnp.take_along_axis", X, array("int32", None, None), axis=ONE),
    call(
        "method:__getitem__",
        CallValue("jax.numpy.squeeze", (array("float32", None, None, 3),), {}),
        ints(0, 0, 0),
    ),
    call("jnp.convolve", CallValue("jax.numpy.squeeze", (array("float32", None, None, 3),), {}), V),
    call("jnp.concatenate", group(CallValue("jax.numpy.squeeze", (CUBE,), {}), array("float32", 2, 8))),
    call(
        "jnp.concatenate", group(CallValue("jax.numpy.array", (V,), {"ndmin": N}), array("float32", 2, 3, 8))
    ),
    call("jnp.sum", X, axis=N),
    call("jnp.expand_dims", X, N),
    call("jnp.zeros", group(N, TWO)),
    call("jnp.reshape", X, group(N, Static(-1))),
    call("jnp.arange", HALF),
    # of more dims than are drawn at first
    call("jnp.einsum", Static("abcdefg->a"), ANY_ARRAY),
    call("jnp.transpose", ANY_ARRAY, ints(0, 1, 2, 3, 4, 5, 6)),
    call("jnp.sum", ANY_ARRAY, axis=Static(7)),
    call("jnp.concatenate", group(array("float32", 1, 1, 1, 1, 1, 1, 1), ANY_ARRAY)),
    call("lax.dynamic_update_slice", CUBE, array("float32", 2, 1, 8), group(ZERO, ANY_ARRAY, ZERO)),
    call("lax.dynamic_update_slice", ANY_ARRAY, array("float32", 2, 1, 8), group(ZERO, N)),
]


@pytest.mark.parametrize("called", REFUSED, ids=str)
def test_refused(evaluator: Evaluator, called: Call) -> None:
    answer = called.ask(evaluator)
    assert answer.kind == "shape", answer
    assert "unknown" not in str(answer.error)
    assert accepting(called) is None


@pytest.mark.parametrize("called", OPEN, ids=str)
def test_open(evaluator: Evaluator, called: Call) -> None:
    assert called.ask(evaluator).error is None


CHOOSE = random.Random(17)


def some_array(dtype: str = "float32", most: int = 3) -> Value:
    return array(dtype, *CHOOSE.choices((None, None, 1, 2, 3), k=CHOOSE.randint(0, most)))


def some_int() -> Value:
    return CHOOSE.choice((N, Static(CHOOSE.randint(-2, 3))))


def some_ints() -> Value:
    return group(*(some_int() for _ in range(CHOOSE.randint(1, 3))))


def some_index() -> Value:
    parts = (ALL, N, ZERO, Static(None), Dots(), INDICES)
    return group(*CHOOSE.choices(parts, k=CHOOSE.randint(1, 4)))


def some_squeezed() -> Value:
    return CallValue("jax.numpy.squeeze", (some_array(),), {})


MAKERS: list[Callable[[], Call]] = [
    lambda: call("jnp.sum", some_array(), axis=CHOOSE.choice((some_int, some_ints))()),
    lambda: call("jnp.transpose", some_array(), some_ints()),
    lambda: call("jnp.squeeze", some_array(), some_ints()),
    lambda: call("jnp.expand_dims", some_array(), some_ints()),
    lambda: call("jnp.moveaxis", some_array(), some_int(), some_int()),
    lambda: call("method:__getitem__", some_array(), some_index()),
    lambda: call("method:__getitem__", some_squeezed(), some_index()),
    lambda: call("update:set", some_array(), some_index(), some_array()),
    lambda: call("jnp.take_along_axis", some_array(), some_array("int32"), axis=some_int()),
    lambda: call("jnp.concatenate", group(some_array(), some_squeezed()), axis=some_int()),
    lambda: call("jnp.stack", group(some_array(), some_array()), axis=some_int()),
    lambda: call("lax.dynamic_slice", some_array(), some_ints(), some_ints()),
    lambda: call("lax.dynamic_update_slice", some_array(), some_array(), some_ints()),
    lambda: call(
        "jnp.einsum", Static(CHOOSE.choice(("ij,jk", "ij,j->i", "i,i", "...i->..."))), some_array(), V
    ),
    lambda: call("operator.matmul", some_array(), some_array()),
    lambda: call("jnp.tensordot", some_array(), some_array(), some_int()),
    lambda: call("jnp.convolve", some_squeezed(), some_array()),
    lambda: call("jnp.linalg.inv", some_array()),
    lambda: call("jnp.diag", some_squeezed(), some_int()),
    lambda: call("jnp.broadcast_to", some_array(), some_ints()),
    lambda: call("jnp.reshape", some_array(), group(some_int(), CHOOSE.choice((HALF, N, Static(-1))))),
    lambda: call("jnp.array", some_array(), ndmin=some_int()),
    lambda: call("jnp.zeros", group(some_int(), CHOOSE.choice((HALF, N)))),
    lambda: Call(
        "value", (CallValue("jax.vmap", (Named("jax.numpy.sum"), some_int()), {}), some_array()), {}
    ),
]
#: How many calls are drawn of each, and how many must be refused; fewer under an older Python.
EACH, FEWEST = (15, 60) if sys.version_info >= (3, 12) else (5, 20)


def test_no_refusal_that_some_choice_disproves(evaluator: Evaluator) -> None:
    refused = 0
    for called in [make() for make in MAKERS for _ in range(EACH)]:
        if called.ask(evaluator).error is not None:
            refused += 1
            assert accepting(called, tries=25) is None
    assert refused >= FEWEST
