"""What the child answers, against JAX itself."""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterator
from dataclasses import replace
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
    accepting,
    array,
    call,
    concrete,
    group,
    ints,
    run,
)

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.protocol import Answer
from jaxtyping_core.evaluation.values import (
    Anything,
    Array,
    Builtin,
    Dots,
    DType,
    Key,
    List,
    Named,
    Scalar,
    Size,
    Slice,
    Static,
    Tuple,
    Unknown,
    Value,
    children,
    transform,
    with_children,
)

#: Calls that JAX accepts.
ACCEPTED = [
    call("jnp.add", F, I),
    call("jnp.add", H, WEAK_FLOAT),
    call("jnp.add", U, WEAK_INT),
    call("jnp.add", U, Scalar("float")),
    call("jnp.add", B, B),
    call("jnp.multiply", WEAK_INT, WEAK_FLOAT),
    call("jnp.true_divide", I, U),
    call("jnp.matmul", F, array("bfloat16", 4, 5)),
    call("jnp.where", B, F, Static(0)),
    call("jnp.zeros", ints(2, 3)),
    call("jnp.zeros", Static(3), Builtin("int")),
    call("jnp.ones", ints(2), dtype=DType("bfloat16")),
    call("jnp.full", ints(2), Static(1)),
    call("jnp.full", ints(2), Static(1.5), Builtin("complex")),
    call("jnp.arange", Static(3)),
    call("jnp.arange", Static(0.0), Static(1.0), Static(0.25)),
    call("jnp.linspace", Static(0), Static(1), Static(7)),
    call("jnp.eye", Static(3), dtype=DType("int8")),
    call("jnp.asarray", Static(1)),
    call("jnp.asarray", List((Static(1.0), Static(2)))),
    call("jnp.array", F, DType("float64")),
    call("jnp.sum", I, axis=Static(0)),
    call("jnp.sum", U),
    call("jnp.mean", I, axis=Static(-1), keepdims=Static(True)),
    call("jnp.argmax", F, axis=Static(1)),
    call("jnp.max", H, axis=ints(0, 1)),
    call("jnp.var", C),
    call("jnp.concatenate", group(F, H), axis=Static(1)),
    call("jnp.stack", List((F, F))),
    call("jnp.split", F, Static(2), axis=Static(1)),
    call("jnp.reshape", F, ints(2, -1)),
    call("jnp.transpose", array("float32", 2, 3, 4), ints(2, 0, 1)),
    call("jnp.broadcast_to", VECTOR, ints(5, 4)),
    call("jnp.expand_dims", F, Static(1)),
    call("jnp.einsum", Static("ij,kj->ik"), F, array("float32", 5, 4)),
    call("jnp.take", F, array("int32", 2), axis=Static(1)),
    call("jnp.meshgrid", VECTOR, array("int32", 3)),
    call("jnp.frexp", F),
    call("jnp.result_type", H, I),
    call("jnp.shape", F),
    call("jnp.ndim", F),
    call("nn.relu", F),
    call("nn.softmax", H, axis=Static(-1)),
    call("nn.one_hot", array("int32", 5), Static(7)),
    call("nn.gelu", I),
    call("lax.exp", C),
    call("lax.top_k", F, Static(2)),
    call("jnp.linalg.inv", SQUARE),
    call("jnp.linalg.norm", C),
    call("jnp.linalg.svd", F, full_matrices=Static(False)),
    call("jnp.linalg.eigh", SQUARE),
    call("jnp.fft.rfft", F),
    call("jax.random.normal", Key(), ints(2, 3)),
    call("jax.random.split", Key()),
    call("method:astype", F, DType("int8")),
    call("method:astype", F, Named("jax.numpy.uint16")),
    call("method:sum", WEAK_INT),
    call("method:reshape", F, Static(4), Static(3)),
    call("method:argsort", F),
    call("method:__neg__", U),
    call("method:__invert__", B),
    call("method:__abs__", C),
    call("method:item", SCALAR),
    call("attribute:T", F),
    call("attribute:real", C),
    call("attribute:shape", F),
    call("attribute:dtype", U),
    call("method:__getitem__", F, Static(0)),
    call("method:__getitem__", F, group(ALL, Static(None), Static(-1))),
    call("method:__getitem__", F, group(Dots(), array("int32", 5))),
    call("method:__getitem__", F, Slice(Static(0), Static(2), Static(None))),
    call("update:set", F, Static(0), VECTOR),
    call("update:add", I, group(ALL, Static(1)), Static(1)),
    call("update:get", F, Static(-1)),
    call("operator.add", I, Static(1.0)),
    call("operator.rshift", U, Static(1)),
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
    ("shape", call("jnp.sum", F, axis=Static(2))),
    ("shape", call("jnp.transpose", F, ints(0, 0))),
    ("shape", call("jnp.einsum", Static("ij,jk->ik"), F, F)),
    ("shape", call("jnp.linalg.inv", F)),
    ("shape", call("jnp.broadcast_to", F, ints(3, 5))),
    ("shape", call("method:__getitem__", F, ints(0, 0, 0))),
    ("shape", call("update:set", F, Static(0), array("float32", 5))),
    ("dtype", call("operator.and_", F, I)),
    ("dtype", call("operator.invert", F)),
    ("dtype", call("jnp.bitwise_or", F, F)),
    ("dtype", call("jnp.add", array("float8_e4m3fn", 3, 4), F)),
    ("dtype", call("method:__getitem__", F, VECTOR)),
    ("dtype", call("lax.add", F, I)),
]


def value_of(result: Any) -> Value:
    """A result of JAX as a value, written down independently of the child."""
    if isinstance(result, jax.Array | jax.ShapeDtypeStruct):
        return Array(str(result.dtype), getattr(result, "weak_type", False), result.shape)
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
            return replace(part, dtype=str(part.dtype).replace("32", "64"))
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
    assert answer.result == (traced if traced == with_value else replace(traced, dtype=None, weak=False))


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


def with_unknowns(value: Value) -> Iterator[Value]:
    """Copies of a value, each with one dim, or the value of one number, taken away."""
    if isinstance(value, Array):
        dims = value.dims or ()
        yield from (replace(value, dims=(*dims[:i], None, *dims[i + 1 :])) for i in range(len(dims)))
    elif isinstance(value, Static) and type(value.value) is int:
        yield Scalar("int")
    parts = children(value)
    for i, part in enumerate(parts):
        for changed in with_unknowns(part):
            yield with_children(value, [*parts[:i], changed, *parts[i + 1 :]])


def less_known(called: Call) -> Iterator[Call]:
    for i, arg in enumerate(called.args):
        for changed in with_unknowns(arg):
            yield called._replace(args=(*called.args[:i], changed, *called.args[i + 1 :]))
    for name, value in called.kwargs.items():
        for changed in with_unknowns(value):
            yield called._replace(kwargs={**called.kwargs, name: changed})


@pytest.mark.parametrize("called", [called for _, called in REFUSED], ids=str)
def test_no_error_where_a_part_is_unknown(evaluator: Evaluator, called: Call) -> None:
    """Unless what is unknown is no reason for the refusal: then JAX accepts the call for no choice of it."""
    variants = list(less_known(called))
    assert variants
    for variant in variants:
        if variant.ask(evaluator).error is not None:
            assert accepting(variant) is None


@pytest.mark.parametrize("called", ACCEPTED, ids=str)
def test_an_unknown_part_leaves_a_weaker_answer(evaluator: Evaluator, called: Call) -> None:
    """Never an error, and never a dim that is not the one of the full call."""
    if called.function == "method:item":
        return
    full = called.ask(evaluator).result
    for variant in less_known(called):
        answer = variant.ask(evaluator)
        assert answer.error is None, variant
        if isinstance(full, Array) and isinstance(answer.result, Array):
            dims, less = full.dims or (), answer.result.dims or ()
            pairs = zip(dims, less, strict=len(dims) == len(less))
            assert all(known in (None, actual) for actual, known in pairs), (variant, full, answer)


def of_unknown_parts(value: Value) -> Iterator[Value]:
    """Copies of a value, each with an array, a number or a dtype in it wholly unknown."""
    if isinstance(value, Array):
        yield Anything(("array",)) if value.weak else Array(None, False, None)
    elif isinstance(value, Scalar) or (isinstance(value, Static) and type(value.value) in (int, float)):
        yield Anything(("array",))
        if isinstance(value, Static) and type(value.value) is int:
            yield Anything(("none", "int", "ints"))
    elif isinstance(value, DType):
        yield Anything(("dtype", "none"))
    elif isinstance(value, Tuple) and all(isinstance(item, Static) for item in value.items):
        yield Anything(("none", "int", "ints"))
    parts = children(value)
    for i, part in enumerate(parts):
        for changed in of_unknown_parts(part):
            yield with_children(value, [*parts[:i], changed, *parts[i + 1 :]])


def agrees(less: Value, full: Value) -> bool:
    """Whether what one answer says, another one says as well."""
    if isinstance(less, Array) and isinstance(full, Array):
        dtype = less.dtype is None or (less.dtype, less.weak) == (full.dtype, full.weak)
        dims, known = full.dims or (), less.dims
        rank = known is None or len(known) == len(dims)
        return (
            dtype and rank and all(dim in (None, own) for dim, own in zip(known or dims, dims, strict=True))
        )
    if isinstance(less, Tuple | List) and type(less) is type(full):
        assert isinstance(full, Tuple | List)
        return all(map(agrees, less.items, full.items)) and len(less.items) == len(full.items)
    return less == full or isinstance(less, Unknown)


@pytest.mark.parametrize("called", ACCEPTED, ids=str)
def test_a_wholly_unknown_part_leaves_what_is_certain(evaluator: Evaluator, called: Call) -> None:
    """Neither an error nor a claim that the known part does not make true."""
    if called.function == "method:item":
        return
    full = called.ask(evaluator).result
    assert full is not None
    variants = [
        *(
            called._replace(args=(*called.args[:i], new, *called.args[i + 1 :]))
            for i, arg in enumerate(called.args)
            for new in of_unknown_parts(arg)
        ),
        *(
            called._replace(kwargs={**called.kwargs, name: new})
            for name, arg in called.kwargs.items()
            for new in of_unknown_parts(arg)
        ),
    ]
    for variant in variants:
        answer = variant.ask(evaluator)
        assert answer.error is None and (answer.result is None or agrees(answer.result, full)), (
            variant,
            full,
        )


OPEN, ANY = Array(None, False, None), Anything(("array",))
INTS = group(Scalar("int"), Scalar("int"))


@pytest.mark.parametrize(
    "called, expected",
    [
        # Their dtypes must be the same, and any is right.
        (call("lax.dynamic_update_slice", OPEN, ANY, INTS), Array(None, False, (None, None))),
        (call("lax.select", array("bool", 3), ANY, OPEN), Array(None, False, (3,))),
        (call("lax.add", OPEN, ANY), OPEN),
        (call("lax.lt", OPEN, OPEN), Array("bool", False, None)),
        # Of one rank, other ranks of the other one are right.
        (call("jnp.einsum", Static("...ij,jk->...ik"), OPEN, OPEN), OPEN),
        (call("jnp.einsum", Static("ij,jk->ik"), OPEN, OPEN), Array(None, False, (None, None))),
        (call("jnp.concatenate", group(F, OPEN)), Array(None, False, (None, 4))),
        (call("jnp.outer", OPEN, ANY), Array(None, False, (None, None))),
        # What more than five dims make of it.
        (call("jnp.dstack", OPEN), OPEN),
    ],
    ids=str,
)
def test_several_unknown_arrays(evaluator: Evaluator, called: Call, expected: Array) -> None:
    assert called.ask(evaluator) == Answer(result=expected)


def test_ints_below_one(evaluator: Evaluator) -> None:
    """What is right for every size need not be for zero."""
    answer = call("jnp.arange", Scalar("int"), Static(1.0), Static(0.25)).ask(evaluator)
    assert answer == Answer(result=Array("float32", False, (None,)))
