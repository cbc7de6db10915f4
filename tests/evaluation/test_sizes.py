"""Sizes that follow from named ones by a formula: what the child says of them holds for actual sizes."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import jax
import pytest
from calls import Call, array, call, group, ints, run

from jaxtyping_core.domain.dims import Dim
from jaxtyping_core.domain.values import Array, Items, Scalar, Size, Slice, Static, Value
from jaxtyping_core.domain.values import Call as CallValue
from jaxtyping_core.evaluation.client import Evaluator

N, M, NM, NN = (array("float32", *names) for names in ("N", "M", "NM", "NN"))
BYTES, OPEN = array("uint8", "N"), array("float32", None)
SIZE = Size("N")
#: Calls, and the dims of the first array that they return.
CALLS: list[tuple[Call, list[Dim]]] = [
    # What JAX evaluates with symbols for dims.
    (call("jnp.fft.rfft", N), ["floordiv(N, 2) + 1"]),
    (call("jnp.diag", N, k=Static(-2)), ["N + 2", "N + 2"]),
    (call("method:__getitem__", N, Slice(Static(1), Static(-1), Static(None))), ["max(0, N - 2)"]),
    # What it does not.
    (call("jnp.fft.irfft", N), ["2*N - 2"]),
    (call("jnp.fft.irfft", array("float32", "floordiv(N, 2) + 1")), ["2*floordiv(N, 2)"]),
    (call("jnp.fft.hfft", NM), ["N", "2*M - 2"]),
    (call("jnp.diagonal", NM), ["min(N, M)"]),
    (call("jnp.diag", NM, k=Static(1)), ["min(M - 1, N)"]),
    (call("jnp.convolve", N, M), ["N + M - 1"]),
    (call("jnp.convolve", N, M, Static("same")), ["max(N, M)"]),
    (call("jnp.convolve", N, M, Static("valid")), ["- min(N, M) + max(N, M) + 1"]),
    (call("jnp.delete", NM, Static(1)), ["M*N - 1"]),
    (call("jnp.delete", NM, Static(1), axis=Static(0)), ["N - 1", "M"]),
    (call("jnp.polyder", N, Static(2)), ["max(N - 2, 0)"]),
    (call("jnp.polyint", N), ["N + 1"]),
    (call("jnp.diff", N, n=Static(2)), ["max(N - 2, 0)"]),
    (call("jax.scipy.linalg.companion", N), ["N - 1", "N - 1"]),
    (call("jnp.diagonal", array("float32", "N", 3), Static(-1)), ["min(N - 1, 3)"]),
    (call("jax.scipy.linalg.lu", NM, Static(True)), ["N", "min(N, M)"]),
    (call("jnp.array_split", N, Static(2)), ["floordiv(N + 1, 2)"]),
    (call("jnp.reshape", N, ints(2, -1)), [2, "floordiv(N, 2)"]),
    (call("jnp.reshape", NM, ints(-1, 6)), ["floordiv(M*N, 6)", 6]),
    # What it gets wrong with symbols, which it takes for true in a condition and for equal to no number.
    (call("jnp.packbits", BYTES), ["floordiv(N + 7, 8)"]),
    (call("jnp.fft.rfftfreq", SIZE), ["floordiv(N, 2) + 1"]),
    # What follows no formula, or one with sizes that are not known.
    (call("jnp.triu_indices_from", NN, Static(1)), [None]),
    (call("jnp.diag", NM, k=Static(2)), [None]),
    (call("jax.scipy.signal.welch", N, nperseg=Static(4)), [None]),
    (call("jnp.convolve", N, OPEN), [None]),
    (call("jnp.reshape", N, group(Scalar("int"), Static(-1))), [None, None]),
]
#: How many choices of actual sizes are compared with JAX, those that it refuses left out.
FEWEST = 4


@pytest.mark.parametrize(("called", "dims"), CALLS, ids=str)
def test_formulas(evaluator: Evaluator, called: Call, dims: list[int | str | None]) -> None:
    assert dims_of(called.ask(evaluator).result) == dims


@pytest.mark.parametrize(("called", "dims"), [pair for pair in CALLS if None not in pair[1]], ids=str)
def test_formulas_hold(called: Call, dims: list[int | str]) -> None:
    compared = 0
    for sizes in choices("M" in str(called.args)):
        try:
            shape = shape_of(called, sizes)
        except (TypeError, ValueError, IndexError):
            continue
        assert [value_of(dim, sizes) for dim in dims] == list(shape), sizes
        compared += 1
    assert compared >= FEWEST


def choices(two: bool) -> list[dict[str, int]]:
    if two:
        pairs = [*itertools.product((1, 2, 3, 6), repeat=2), (4, 5), (5, 4), (7, 7), (8, 48), (100, 30)]
        return [{"N": n, "M": m} for n, m in pairs]
    return [{"N": n} for n in (*range(1, 10), 16, 23, 40, 300)]


def shape_of(called: Call, sizes: dict[str, int]) -> tuple[int, ...]:
    """The shape of the first array that JAX returns for these sizes."""
    args = tuple(with_sizes(arg, sizes) for arg in called.args)
    first = jax.tree.leaves(jax.eval_shape(lambda: run(called._replace(args=args))))[0]
    return tuple(first.shape)


def with_sizes(value: Value, sizes: dict[str, int]) -> Value:
    if isinstance(value, Array):
        return replace(value, shape=tuple(value_of(dim, sizes) for dim in value.shape or ()))
    return Static(value_of(value.expression, sizes)) if isinstance(value, Size) else value


def value_of(dim: Dim, sizes: dict[str, int]) -> Any:
    functions = {"max": max, "min": min, "floordiv": lambda a, b: a // b}
    return eval(dim, {**functions, **sizes}) if isinstance(dim, str) else dim


def dims_of(result: Value | None) -> list[Dim]:
    """The dims of the first array in a result."""
    if isinstance(result, Array):
        return list(result.shape or ())
    assert isinstance(result, Items)
    return dims_of(result.items[0])


def test_a_weak_type_that_depends_on_the_sizes(evaluator: Evaluator) -> None:
    """JAX goes another way where both dims are the same size, and loses the weakness of the type on it."""
    answer = call("jnp.diagonal", array("int32", "N", "M", weak=True)).ask(evaluator)
    assert answer.result == array(None, "min(N, M)")


def test_a_python_int(evaluator: Evaluator) -> None:
    inner = CallValue("jax.numpy.fft.irfft", (N,), {})
    assert call("attribute:size", inner).ask(evaluator).result == Size("2*N - 2")


@pytest.mark.parametrize(
    "called",
    [
        call("jnp.squeeze", array("float32", None, 3, 4)),
        call("method:squeeze", array("float32", None, 3, 4), axis=Static(None)),
        call("jnp.cov", array("float32", 3, None), rowvar=Static(False)),
        call("jnp.array", array("float32", None, 4), ndmin=Scalar("int")),
    ],
    ids=str,
)
def test_a_rank_that_depends_on_an_unknown_size(evaluator: Evaluator, called: Call) -> None:
    answer = called.ask(evaluator)
    assert not answer.fault
    assert answer.error is None
    assert answer.result in (None, Array.of("float32", False, None))
