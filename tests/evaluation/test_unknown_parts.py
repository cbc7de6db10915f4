"""What the child answers about calls of which a part is not known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from calls import (
    Call,
    F,
    accepting,
    array,
    call,
    group,
)
from known_calls import ACCEPTED, REFUSED

from jaxtyping_core.domain import values
from jaxtyping_core.domain.values import (
    Anything,
    Array,
    DType,
    List,
    Scalar,
    Static,
    Tuple,
    Unknown,
    Value,
    children,
    with_children,
)
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.protocol import Answer
from jaxtyping_core.sampling.attempts import Evaluation
from jaxtyping_core.sampling.queries import evaluate
from jaxtyping_core.sampling.tables.limits import FIRST_DRAWS

OPEN, ANY = Array.of(None, False, None), Anything(("array",))
BY_HEADS = array("float32", 4, 8, 32)
INTS = group(Scalar("int"), Scalar("int"))


def with_unknowns(value: Value) -> Iterator[Value]:
    """Copies of a value, each with one dim, or the value of one number, taken away."""
    if isinstance(value, Array):
        dims = value.shape or ()
        yield from (replace(value, shape=(*dims[:i], None, *dims[i + 1 :])) for i in range(len(dims)))
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
            dims, less = full.shape or (), answer.result.shape or ()
            pairs = zip(dims, less, strict=len(dims) == len(less))
            assert all(known in (None, actual) for actual, known in pairs), (variant, full, answer)


def of_unknown_parts(value: Value) -> Iterator[Value]:
    """Copies of a value, each with an array, a number or a dtype in it wholly unknown."""
    if isinstance(value, Array):
        yield Anything(("array",)) if value.weak else Array.of(None, False, None)
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
        dims, known = full.shape or (), less.shape
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


@pytest.mark.parametrize(
    "called, expected",
    [
        # Their dtypes must be the same, and any is right.
        (call("lax.dynamic_update_slice", OPEN, ANY, INTS), Array.of(None, False, (None, None))),
        (call("lax.select", array("bool", 3), ANY, OPEN), Array.of(None, False, (3,))),
        (call("lax.add", OPEN, ANY), OPEN),
        (call("lax.lt", OPEN, OPEN), Array.of("bool", False, None)),
        # Of one rank, other ranks of the other one are right.
        (call("jnp.einsum", Static("...ij,jk->...ik"), OPEN, OPEN), OPEN),
        (call("jnp.einsum", Static("ij,jk->ik"), OPEN, OPEN), Array.of(None, False, (None, None))),
        (call("jnp.concatenate", group(F, OPEN)), Array.of(None, False, (None, 4))),
        (call("jnp.outer", OPEN, ANY), Array.of(None, False, (None, None))),
        # Some of its sizes are 1 in all that is accepted of what is tried, which is not all that is right.
        (call("jnp.einsum", Static("bthk,hkd->btd"), ANY, BY_HEADS), Array.of(None, False, (None, None, 32))),
        # What more than five dims make of it.
        (call("jnp.dstack", OPEN), OPEN),
        (call("jnp.argmax", OPEN, axis=Static(4)), Array.of("int32", False, None)),
        (call("jnp.sum", OPEN, axis=Tuple(tuple(map(Static, range(5))))), OPEN),
        (
            call("jnp.broadcast_to", array("int32", 1, 1, 1), Anything(("ints",))),
            Array.of("int32", False, None),
        ),
    ],
    ids=str,
)
def test_several_unknown_arrays(evaluator: Evaluator, called: Call, expected: Array) -> None:
    assert called.ask(evaluator) == Answer(result=expected)


def test_ints_below_one(evaluator: Evaluator) -> None:
    """What is right for every size need not be for zero."""
    answer = call("jnp.arange", Scalar("int"), Static(1.0), Static(0.25)).ask(evaluator)
    assert answer == Answer(result=Array.of("float32", False, (None,)))


def runs_of(called: Call, monkeypatch: pytest.MonkeyPatch) -> tuple[Answer, int]:
    """What is known of a call, and how often JAX evaluates it for that."""
    count, run = 0, Evaluation.run

    def counted(evaluation: Evaluation, *args: Any, **kwargs: Any) -> Value:
        nonlocal count
        count += 1
        return run(evaluation, *args, **kwargs)

    monkeypatch.setattr(Evaluation, "run", counted)
    return evaluate(values.Call(called.function, called.args, called.kwargs)), count


@pytest.mark.parametrize(
    "called",
    [
        call("jax.numpy.where", OPEN, OPEN, Static(0.0)),
        call("jax.numpy.linalg.solve", OPEN, OPEN),
        call("nn.softmax", OPEN, axis=Static(-1)),
    ],
    ids=str,
)
def test_calls_of_which_nothing_is_known_take_few_samples(
    called: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, count = runs_of(called, monkeypatch)
    assert answer.result == OPEN
    assert 2 <= count <= FIRST_DRAWS


@pytest.mark.parametrize("name", ["isnan", "argmax", "sum", "argsort"])
def test_what_holds_for_all_is_known(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answer, count = runs_of(call(f"jax.numpy.{name}", OPEN), monkeypatch)
    assert isinstance(answer.result, Array) and answer.result != OPEN
    assert count > FIRST_DRAWS
