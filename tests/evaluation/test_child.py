"""What the child answers, against JAX itself."""

from __future__ import annotations

import operator
import sys
from typing import Any

import jax
import numpy as np
import pytest
from calls import (
    ALL,
    Call,
    F,
    I,
    array,
    call,
    concrete,
    group,
    run,
)
from known_calls import ACCEPTED, REFUSED

from jaxtyping_core.domain.values import Array, DType, List, Scalar, Size, Static, Tuple, Value, transform
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.protocol import Answer


def value_of(result: Any) -> Value:
    """A result of JAX as a value, written down independently of the child."""
    if isinstance(result, jax.Array | jax.ShapeDtypeStruct):
        return Array.of(str(result.dtype), getattr(result, "weak_type", False), result.shape)
    if isinstance(result, np.dtype):
        return DType(result.name)
    if isinstance(result, tuple | list):
        return (List if isinstance(result, list) else Tuple)(tuple(map(value_of, result)))
    return Static(result)


@pytest.mark.parametrize("x64", [False, True], ids=["x32", "x64"])
@pytest.mark.parametrize("called", ACCEPTED, ids=str)
@pytest.mark.filterwarnings("ignore:Explicitly requested dtype:UserWarning")
def test_accepted_calls_as_jax(evaluator: Evaluator, called: Call, x64: bool) -> None:
    if x64:  # what is weak has the default dtype, which x64 doubles
        called = doubled(called)
    with jax.enable_x64(x64):
        expected = value_of(run(called))
    answer = called.ask(evaluator, x64)
    if called.function == "method:item":  # a value, which no abstract array has
        assert answer.result == Scalar("float")
    else:
        assert answer == Answer(result=expected)


def doubled(called: Call) -> Call:
    def double(part: Value) -> Value:
        if isinstance(part, Array) and part.weak:
            return part.with_dtype(str(part.dtype).replace("32", "64"), True)
        return part

    args = (transform(arg, double) for arg in called.args)
    return called._replace(
        args=tuple(args), kwargs={name: transform(arg, double) for name, arg in called.kwargs.items()}
    )


@pytest.mark.parametrize(("kind", "called"), REFUSED, ids=lambda value: str(value))
def test_refused_calls_as_jax(evaluator: Evaluator, kind: str, called: Call) -> None:
    with pytest.raises((TypeError, ValueError, IndexError)):
        run(called)
    answer = called.ask(evaluator)
    assert (answer.kind, answer.result, answer.unknown) == (kind, None, None)
    assert answer.error
    assert "http" not in answer.error


@pytest.mark.parametrize(
    "called",
    [call("jnp.bitwise_or", F, F), call("jax.random.wrap_key_data", array("uint32", 64, 32))],
    ids=["dtypes out of a set", "where functions are kept"],
)
def test_refusals_are_the_same_every_time(called: Call) -> None:
    """What a user reads does not change from run to run."""
    words = set()
    for _ in range(3):
        child = Evaluator(sys.executable)
        words.add(called.ask(child).error)
        child.close()
    assert len(words) == 1
    assert words != {None}


def test_strict_promotion(evaluator: Evaluator) -> None:
    mixed = call("jnp.add", F, I)
    answer = mixed.ask(evaluator, promotion="strict")
    assert answer.kind == "dtype"
    assert answer.error
    assert mixed.ask(evaluator).result == F
    assert call("jnp.add", F, Static(1)).ask(evaluator, promotion="strict").result == F


BASES = [array(dtype, 3) for dtype in ("bool", "int8", "uint8", "int32", "uint32", "bfloat16", "complex64")]
EXPONENTS = [array(dtype) for dtype in ("bool", "int8", "uint8", "int16", "int32", "uint32", "float16")]


@pytest.mark.parametrize("base", [*BASES, Static(2.0), Static(True)], ids=str)
@pytest.mark.parametrize("exponent", EXPONENTS, ids=str)
def test_powers_by_a_number(evaluator: Evaluator, base: Value, exponent: Value) -> None:
    """JAX looks at the value of an int, where it has it, and then not at its dtype."""
    numbers = concrete(base), concrete(exponent)
    with_value = value_of(operator.pow(*numbers))
    traced = value_of(jax.eval_shape(lambda exponent: operator.pow(numbers[0], exponent), numbers[1]))
    assert isinstance(traced, Array)
    answer = call("operator.pow", base, exponent).ask(evaluator)
    assert answer.result == (traced if traced == with_value else traced.with_dtype(None, False))


@pytest.mark.parametrize("exponent", [array("int8", 3), Scalar("int"), Static(2)], ids=str)
def test_other_powers(evaluator: Evaluator, exponent: Value) -> None:
    expected = value_of(operator.pow(concrete(BASES[0]), concrete(exponent)))
    assert call("operator.pow", BASES[0], exponent).ask(evaluator).result == expected


ROWS, BATCH = array("float32", "B", "D"), array("float32", "B", "T", "D")


@pytest.mark.parametrize(
    ("called", "dims"),
    [
        (call("jnp.add", ROWS, array("float32", "D")), ["B", "D"]),
        (call("jnp.add", ROWS, array("float32", "B", 1)), ["B", "D"]),
        (call("operator.matmul", ROWS, array("float32", "D", 7)), ["B", 7]),
        (call("attribute:T", ROWS), ["D", "B"]),
        (call("jnp.sum", BATCH, axis=Static(1)), ["B", "D"]),
        (call("jnp.zeros", group(Size("B"), Static(2))), ["B", 2]),
        (call("jnp.reshape", BATCH, group(Size("B*T"), Size("D"))), ["B*T", "D"]),
        (call("jnp.einsum", Static("btd,bsd->bts"), BATCH, array("float32", "B", "S", "D")), ["B", "T", "S"]),
        (call("method:__getitem__", BATCH, group(ALL, Static(0))), ["B", "D"]),
        (call("jnp.concatenate", group(ROWS, array("float32", 2, "D"))), ["B + 2", "D"]),
        (call("jnp.concatenate", group(ROWS, ROWS), axis=Static(1)), ["B", "2*D"]),
        (call("jnp.add", array("float32", None, "D"), array("float32", "D")), [None, "D"]),
        (call("jnp.zeros", group(Scalar("int"), Static(2))), [None, 2]),
        (call("nn.one_hot", array("int32", "B"), Size("V")), ["B", "V"]),
    ],
    ids=str,
)
def test_symbolic_dims(evaluator: Evaluator, called: Call, dims: list[int | str | None]) -> None:
    assert called.ask(evaluator).result == array("float32", *dims)


def test_powers_are_as_python_writes_them(evaluator: Evaluator) -> None:
    answer = call("jnp.ravel", array("float32", "D", "D")).ask(evaluator)
    assert answer.result == array("float32", "D**2")


@pytest.mark.parametrize(
    "called",
    [
        call("jnp.add", ROWS, array("float32", "B", "T")),
        call("operator.matmul", ROWS, ROWS),
        call("jnp.add", ROWS, array("float32", 7)),
        call("jnp.reshape", ROWS, group(Size("B"), Static(-1), Static(-1))),
    ],
    ids=str,
)
def test_different_symbols_are_different_sizes(evaluator: Evaluator, called: Call) -> None:
    assert called.ask(evaluator).kind == "shape"


def test_what_depends_on_the_sizes_is_open(evaluator: Evaluator) -> None:
    for called in (
        call("jnp.reshape", ROWS, group(Static(2), Static(-1))),  # right for an even size
        call("jnp.split", ROWS, Static(2)),
    ):
        assert called.ask(evaluator).error is None
