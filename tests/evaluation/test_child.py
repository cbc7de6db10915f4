"""What the child answers, against JAX itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import jax
import numpy as np
import pytest
from calls import (
    ALL,
    SCALAR,
    SQUARE,
    VECTOR,
    WEAK_FLOAT,
    WEAK_INT,
    B,
    C,
    Call,
    F,
    H,
    I,
    U,
    array,
    call,
    group,
    ints,
    run,
    static,
)

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.protocol import Answer, Value

#: Calls that JAX accepts.
ACCEPTED = [
    call("jnp.add", F, I),
    call("jnp.add", H, WEAK_FLOAT),
    call("jnp.add", U, WEAK_INT),
    call("jnp.add", U, ["scalar", "float"]),
    call("jnp.add", B, B),
    call("jnp.multiply", WEAK_INT, WEAK_FLOAT),
    call("jnp.true_divide", I, U),
    call("jnp.matmul", F, array("bfloat16", 4, 5)),
    call("jnp.where", B, F, static(0)),
    call("jnp.zeros", ints(2, 3)),
    call("jnp.zeros", static(3), ["builtin", "int"]),
    call("jnp.ones", ints(2), dtype=["dtype", "bfloat16"]),
    call("jnp.full", ints(2), static(1)),
    call("jnp.full", ints(2), static(1.5), ["builtin", "complex"]),
    call("jnp.arange", static(3)),
    call("jnp.arange", static(0.0), static(1.0), static(0.25)),
    call("jnp.linspace", static(0), static(1), static(7)),
    call("jnp.eye", static(3), dtype=["dtype", "int8"]),
    call("jnp.asarray", static(1)),
    call("jnp.asarray", ["list", [static(1.0), static(2)]]),
    call("jnp.array", F, ["dtype", "float64"]),
    call("jnp.sum", I, axis=static(0)),
    call("jnp.sum", U),
    call("jnp.mean", I, axis=static(-1), keepdims=static(True)),
    call("jnp.argmax", F, axis=static(1)),
    call("jnp.max", H, axis=ints(0, 1)),
    call("jnp.var", C),
    call("jnp.concatenate", group(F, H), axis=static(1)),
    call("jnp.stack", ["list", [F, F]]),
    call("jnp.split", F, static(2), axis=static(1)),
    call("jnp.reshape", F, ints(2, -1)),
    call("jnp.transpose", array("float32", 2, 3, 4), ints(2, 0, 1)),
    call("jnp.broadcast_to", VECTOR, ints(5, 4)),
    call("jnp.expand_dims", F, static(1)),
    call("jnp.einsum", static("ij,kj->ik"), F, array("float32", 5, 4)),
    call("jnp.take", F, array("int32", 2), axis=static(1)),
    call("jnp.meshgrid", VECTOR, array("int32", 3)),
    call("jnp.frexp", F),
    call("jnp.result_type", H, I),
    call("jnp.shape", F),
    call("jnp.ndim", F),
    call("nn.relu", F),
    call("nn.softmax", H, axis=static(-1)),
    call("nn.one_hot", array("int32", 5), static(7)),
    call("nn.gelu", I),
    call("lax.exp", C),
    call("lax.top_k", F, static(2)),
    call("jnp.linalg.inv", SQUARE),
    call("jnp.linalg.norm", C),
    call("jnp.linalg.svd", F, full_matrices=static(False)),
    call("jnp.linalg.eigh", SQUARE),
    call("jnp.fft.rfft", F),
    call("jax.random.normal", ["key"], ints(2, 3)),
    call("jax.random.split", ["key"]),
    call("method:astype", F, ["dtype", "int8"]),
    call("method:astype", F, ["named", "jax.numpy.uint16"]),
    call("method:sum", WEAK_INT),
    call("method:reshape", F, static(4), static(3)),
    call("method:argsort", F),
    call("method:__neg__", U),
    call("method:__invert__", B),
    call("method:__abs__", C),
    call("method:item", SCALAR),
    call("attribute:T", F),
    call("attribute:real", C),
    call("attribute:shape", F),
    call("attribute:dtype", U),
    call("method:__getitem__", F, static(0)),
    call("method:__getitem__", F, group(ALL, static(None), static(-1))),
    call("method:__getitem__", F, group(["ellipsis"], array("int32", 5))),
    call("method:__getitem__", F, ["slice", static(0), static(2), static(None)]),
    call("update:set", F, static(0), VECTOR),
    call("update:add", I, group(ALL, static(1)), static(1)),
    call("update:get", F, static(-1)),
    call("operator.add", I, static(1.0)),
    call("operator.rshift", U, static(1)),
    call("operator.lt", F, WEAK_INT),
    call("operator.matmul", F, VECTOR),
]

#: Calls that JAX refuses, and why.
REFUSED = [
    ("shape", call("jnp.add", F, array("float32", 3, 5))),
    ("shape", call("operator.matmul", F, F)),
    ("shape", call("jnp.reshape", F, ints(5, -1))),
    ("shape", call("jnp.concatenate", group(F, array("float32", 2, 5)))),
    ("shape", call("lax.reshape", F, ints(5, 1))),
    ("shape", call("jnp.sum", F, axis=static(2))),
    ("shape", call("jnp.transpose", F, ints(0, 0))),
    ("shape", call("jnp.einsum", static("ij,jk->ik"), F, F)),
    ("shape", call("jnp.linalg.inv", F)),
    ("shape", call("jnp.broadcast_to", F, ints(3, 5))),
    ("shape", call("method:__getitem__", F, ints(0, 0, 0))),
    ("shape", call("update:set", F, static(0), array("float32", 5))),
    ("dtype", call("operator.and_", F, I)),
    ("dtype", call("operator.invert", F)),
    ("dtype", call("jnp.bitwise_or", F, F)),
    ("dtype", call("jnp.add", array("float8_e4m3fn", 3, 4), F)),
    ("dtype", call("method:__getitem__", F, VECTOR)),
    ("dtype", call("lax.add", F, I)),
]


def encoded(value: Any) -> Value:
    """A result in the protocol's encoding, written down independently of the child."""
    if isinstance(value, jax.Array):
        return ["array", str(value.dtype), getattr(value, "weak_type", False), list(value.shape)]
    if isinstance(value, np.dtype):
        return ["dtype", value.name]
    if isinstance(value, tuple | list):
        tag = "list" if isinstance(value, list) else "tuple"
        return [tag, [encoded(item) for item in value]]
    return ["static", value]


@pytest.mark.parametrize("x64", [False, True], ids=["x32", "x64"])
@pytest.mark.parametrize("called", ACCEPTED, ids=str)
@pytest.mark.filterwarnings("ignore:Explicitly requested dtype:UserWarning")
def test_accepted_calls_as_jax(evaluator: Evaluator, called: Call, x64: bool) -> None:
    if x64:  # what is weak has the default dtype, which x64 doubles
        called = doubled(called)
    with jax.enable_x64(x64):
        expected = encoded(run(called))
    answer = called.ask(evaluator, x64)
    if called.function == "method:item":  # a value, which no abstract array has
        assert answer.result == ["scalar", "float"]
    else:
        assert answer == Answer(result=expected)


def doubled(called: Call) -> Call:
    def double(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        if value[:1] == ["array"] and value[2]:
            return ["array", value[1].replace("32", "64"), True, value[3]]
        return [double(item) for item in value]

    return called._replace(
        args=tuple(map(double, called.args)), kwargs={k: double(v) for k, v in called.kwargs.items()}
    )


@pytest.mark.parametrize(("kind", "called"), REFUSED, ids=lambda value: str(value))
def test_refused_calls_as_jax(evaluator: Evaluator, kind: str, called: Call) -> None:
    with pytest.raises((TypeError, ValueError, IndexError)):
        run(called)
    answer = called.ask(evaluator)
    assert (answer.kind, answer.result, answer.unknown) == (kind, None, None)
    assert answer.error
    assert "http" not in answer.error


def test_refusals_are_the_same_every_time() -> None:
    """JAX lists dtypes out of a set; what a user reads does not change from run to run."""
    words = set()
    for _ in range(3):
        child = Evaluator(sys.executable)
        words.add(call("jnp.bitwise_or", F, F).ask(child).error)
        child.close()
    assert len(words) == 1


def test_strict_promotion(evaluator: Evaluator) -> None:
    mixed = call("jnp.add", F, I)
    answer = mixed.ask(evaluator, promotion="strict")
    assert answer.kind == "dtype"
    assert answer.error
    assert mixed.ask(evaluator).result == F
    assert call("jnp.add", F, static(1)).ask(evaluator, promotion="strict").result == F


ROWS, BATCH = array("float32", "B", "D"), array("float32", "B", "T", "D")


@pytest.mark.parametrize(
    ("called", "dims"),
    [
        (call("jnp.add", ROWS, array("float32", "D")), ["B", "D"]),
        (call("jnp.add", ROWS, array("float32", "B", 1)), ["B", "D"]),
        (call("operator.matmul", ROWS, array("float32", "D", 7)), ["B", 7]),
        (call("attribute:T", ROWS), ["D", "B"]),
        (call("jnp.sum", BATCH, axis=static(1)), ["B", "D"]),
        (call("jnp.zeros", group(["dim", "B"], static(2))), ["B", 2]),
        (call("jnp.reshape", BATCH, group(["dim", "B*T"], ["dim", "D"])), ["B*T", "D"]),
        (call("jnp.einsum", static("btd,bsd->bts"), BATCH, array("float32", "B", "S", "D")), ["B", "T", "S"]),
        (call("method:__getitem__", BATCH, group(ALL, static(0))), ["B", "D"]),
        (call("jnp.concatenate", group(ROWS, array("float32", 2, "D"))), ["B + 2", "D"]),
        (call("jnp.concatenate", group(ROWS, ROWS), axis=static(1)), ["B", "2*D"]),
        (call("jnp.add", array("float32", None, "D"), array("float32", "D")), [None, "D"]),
        (call("jnp.zeros", group(["scalar", "int"], static(2))), [None, 2]),
        (call("nn.one_hot", array("int32", "B"), ["dim", "V"]), ["B", "V"]),
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
        call("jnp.reshape", ROWS, group(["dim", "B"], static(-1), static(-1))),
    ],
    ids=str,
)
def test_different_symbols_are_different_sizes(evaluator: Evaluator, called: Call) -> None:
    assert called.ask(evaluator).kind == "shape"


def test_what_depends_on_the_sizes_is_open(evaluator: Evaluator) -> None:
    for called in (
        call("jnp.reshape", ROWS, group(static(2), static(-1))),  # right for an even size
        call("jnp.split", ROWS, static(2)),
    ):
        assert called.ask(evaluator).error is None


def with_unknowns(value: Any) -> Iterator[Any]:
    """Copies of an encoded value, each with one dim, or the value of one number, taken away."""
    if not isinstance(value, list) or not value:
        return
    if value[0] == "array":
        dims = value[3]
        yield from ([*value[:3], [*dims[:i], None, *dims[i + 1 :]]] for i in range(len(dims)))
    elif value[0] == "static" and type(value[1]) is int:
        yield ["scalar", "int"]
    else:
        for i, item in enumerate(value):
            yield from ([*value[:i], changed, *value[i + 1 :]] for changed in with_unknowns(item))


def less_known(called: Call) -> Iterator[Call]:
    for i, arg in enumerate(called.args):
        for changed in with_unknowns(arg):
            yield called._replace(args=(*called.args[:i], changed, *called.args[i + 1 :]))
    for name, value in called.kwargs.items():
        for changed in with_unknowns(value):
            yield called._replace(kwargs={**called.kwargs, name: changed})


@pytest.mark.parametrize("called", [called for _, called in REFUSED], ids=str)
def test_no_error_where_a_part_is_unknown(evaluator: Evaluator, called: Call) -> None:
    variants = list(less_known(called))
    assert variants
    assert [variant for variant in variants if variant.ask(evaluator).error is not None] == []


@pytest.mark.parametrize("called", ACCEPTED, ids=str)
def test_an_unknown_part_leaves_a_weaker_answer(evaluator: Evaluator, called: Call) -> None:
    """Never an error, and never a dim that is not the one of the full call."""
    if called.function == "method:item":
        return
    full = called.ask(evaluator).result
    for variant in less_known(called):
        answer = variant.ask(evaluator)
        assert answer.error is None, variant
        if full and answer.result and full[0] == answer.result[0] == "array":
            pairs = zip(full[3], answer.result[3], strict=len(full[3]) == len(answer.result[3]))
            assert all(known in (None, actual) for actual, known in pairs), (variant, full, answer)
