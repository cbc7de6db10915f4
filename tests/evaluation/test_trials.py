"""How long calls are tried of which nothing comes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtyping_core.engine.control import RaisedException
from jaxtyping_core.engine.interpreter import Interpreter
from jaxtyping_core.engine.libraries.calls import abstract_calls
from jaxtyping_core.engine.libraries.calls.choices import Concretization
from jaxtyping_core.engine.libraries.calls.size_trials import SizeTrials, sized
from jaxtyping_core.engine.libraries.calls.sizes import symbols_in
from jaxtyping_core.engine.libraries.trust.policy import TrustPolicy
from jaxtyping_core.engine.values import arrays
from jaxtyping_core.engine.values.unknowns import UNKNOWN
from jaxtyping_core.sampling.proof import Known
from jaxtyping_core.sampling.tables.limits import ALIKE, MANY_STEPS, MOST_STEPS, MOST_STEPS_IN_VAIN

#: The steps of one call, as those of a loop of JAX that walks through a function of the program.
STEPS = 100


def choices() -> Iterator[Concretization]:
    while True:
        yield Concretization(([], {}))


@pytest.mark.parametrize(("accepted", "most"), [(0, MOST_STEPS_IN_VAIN), (1, MOST_STEPS)])
def test_calls_that_take_nothing_are_given_up_early(accepted: int, most: int) -> None:
    interpreter = Interpreter({}, TrustPolicy([]), 60.0)
    calls = 0

    def walks() -> int:
        nonlocal calls
        calls += 1
        for _ in range(STEPS):
            interpreter.budget.step()
        if calls > accepted:
            raise TypeError
        return 0

    assert abstract_calls._agreed(interpreter, walks, abstract_calls.RESULTS, lambda _: choices()) is UNKNOWN
    assert most / STEPS - 1 <= calls <= most / STEPS + 1


@pytest.mark.parametrize(("words", "most"), [(lambda call: "no array", ALIKE), (str, 40)])
def test_choices_that_are_refused_with_the_same_words_are_given_up(
    words: Callable[[int], str], most: int
) -> None:
    interpreter = Interpreter({}, TrustPolicy([]), 60.0)
    calls = 0

    def refuses() -> int:
        nonlocal calls
        calls += 1
        raise TypeError(words(calls))

    assert (
        abstract_calls._agreed(
            interpreter, refuses, abstract_calls.RESULTS, lambda _: itertools.islice(choices(), 40)
        )
        is UNKNOWN
    )
    assert calls == most


def _trials(
    made_up: bool, refuse: Callable[[int], Any], interpreter: Interpreter | None = None
) -> tuple[int, bool]:
    """How many sizes are tried for a call with an array of unknown size, and whether one is accepted."""
    interpreter = interpreter or Interpreter({}, TrustPolicy([]), 60.0)
    tried: list[int] = []

    def call(x: Any) -> Any:
        (size,) = x.shape
        tried.append(size)
        return refuse(size)

    def trace() -> int:
        nonlocal accepted
        array = arrays.array("float32", False, (None,))
        with interpreter.within(trying=made_up):
            answer = SizeTrials(interpreter, call, [array], {}, symbols_in([array])).answer()
        accepted = isinstance(answer, Known)
        return 0

    accepted = False
    jax.eval_shape(trace)
    return len(tried), accepted


def _needs_two_axes(size: int) -> Any:
    return jnp.triu(jnp.zeros(size))


def _needs_fifths(size: int) -> Any:
    return jnp.zeros(size).reshape(5, -1)


def _needs_a_number(size: int) -> Any:
    return jnp.zeros((size, jnp.argmax(jnp.zeros(size))))  # type: ignore[list-item, unused-ignore]  # the mistake that is meant; stock JAX types it as Any


@pytest.mark.parametrize("refuse", [_needs_two_axes, _needs_a_number])
def test_no_further_sizes_are_tried_of_what_is_refused_for_another_reason(
    refuse: Callable[[int], Any],
) -> None:
    assert _trials(True, refuse) == (2, False)


def test_no_further_sizes_are_tried_where_they_take_long() -> None:
    calls = 0

    def walks(size: int) -> Any:
        nonlocal calls
        calls += 1
        for _ in range(400):
            interpreter.budget.step()
        raise TypeError(str(calls))

    interpreter = Interpreter({}, TrustPolicy([]), 60.0)
    assert _trials(True, walks, interpreter) == (3, False)
    assert _trials(False, walks, interpreter)[0] > 5


@pytest.mark.parametrize(
    ("steps", "sizes"),
    [(2 * MANY_STEPS, {1, 6, 7, 1031}), (MANY_STEPS // 2, {1, 6, 7, 2, 240, 720, 1031, 4099})],
)
def test_fewer_sizes_are_tried_of_what_takes_long(steps: int, sizes: set[int]) -> None:
    interpreter = Interpreter({}, TrustPolicy([]), 60.0)
    tried = set[int]()

    def walks(size: int) -> Any:
        tried.add(size)
        for _ in range(steps):
            interpreter.budget.step()
        return jnp.zeros(size)

    assert _trials(False, walks, interpreter)[1]
    assert tried == sizes


@pytest.mark.parametrize(("made_up", "dims", "most"), [(True, (6,), 1), (False, (6,), 9), (True, (6, 5), 9)])
def test_no_sizes_are_tried_where_ranks_are_wrong(made_up: bool, dims: tuple[int, ...], most: int) -> None:
    """Of a call with made-up arguments others are tried instead, and what is reported is tried in full."""
    interpreter = Interpreter({}, TrustPolicy([]), 60.0)

    def trace() -> int:
        parts = [arrays.array("float32", False, (None, 3)), arrays.array("float32", False, dims)]
        with interpreter.within(trying=made_up), pytest.raises(RaisedException):
            sized(interpreter, jnp.concatenate, [parts], {})
        return 0

    jax.eval_shape(trace)
    assert interpreter.budget.steps == 1 if most == 1 else interpreter.budget.steps >= most


def test_what_is_reported_is_tried_in_full() -> None:
    tried, accepted = _trials(False, _needs_two_axes)
    assert tried > 5
    assert not accepted


def test_sizes_are_tried_on_where_they_are_the_reason() -> None:
    assert _trials(True, _needs_fifths)[1]


@pytest.mark.parametrize(
    ("f", "dtype", "rank"),
    [(jnp.sum, None, 0), (lambda x: 1j * x, "complex64", None), (jnp.isnan, "bool", None)],
    ids=["dims", "dtype", "bools"],
)
def test_choices_that_tell_nothing_are_not_tried(
    f: Callable[[Any], Any], dtype: str | None, rank: int | None
) -> None:
    """An array of any dtype and rank has 96 choices at least. What is the same of all of them is known all the same."""
    calls, results = [], []

    def counted(x: Any) -> Any:
        calls.append((str(x.dtype), x.ndim))
        return f(x)

    def trace() -> int:
        interpreter = Interpreter({}, TrustPolicy([]), 60.0)
        arguments = [[arrays.array(None, None, None)], {}]
        results.append(abstract_calls._drawn(interpreter, counted, arguments, abstract_calls.RESULTS))
        return 0

    jax.eval_shape(trace)
    (known,) = map(arrays.known_of, results)
    assert known is not None
    assert known.dtype == dtype
    assert (None if known.shape is None else len(known.shape)) == rank
    assert len(calls) < 60
    assert {dtype for dtype, _ in calls} >= {
        "float32",
        "int32",
        "bool",
        "complex64",
        "bfloat16",
        "uint8",
        "int8",
    }
    assert {ndim for _, ndim in calls} == {0, 1, 2, 3, 4, 5}
