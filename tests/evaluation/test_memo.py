"""What the keys of remembered calls depend on."""

from __future__ import annotations

import operator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyping_core.engine.libraries.calls import memo
from jaxtyping_core.engine.libraries.calls.memo import is_lasting, key_of, lasting, of_numpy
from jaxtyping_core.engine.libraries.numpy.choices import evaluated
from jaxtyping_core.engine.values import arrays
from jaxtyping_core.engine.values.unknowns import UNKNOWN, AbstractScalar, NumpyArray
from jaxtyping_core.sampling.memo import Memo


def array(*dims: Any, dtype: str | None = "float32") -> Any:
    """An array of which it is not known whether it is weak."""
    return arrays.array(dtype, None, dims)


def size(name: str) -> Any:
    return arrays.symbol(name)


def test_sizes_may_have_any_names() -> None:
    of_b = [array(size("B"), size("D"), 3), 2 * size("B")]
    of_n = [array(size("N"), size("H"), 3), 2 * size("N")]
    assert key_of(of_b, ["B", "D"]) == key_of(of_n, ["N", "H"]) is not None
    assert key_of(of_b, ["B", "D"]) != key_of([array(size("N"), size("N"), 3), 2 * size("N")], ["N"])


def test_a_text_that_is_named_as_a_size_is_a_text() -> None:
    """Such as the codes of dtypes: ``x.astype("B")``."""
    assert key_of([array(size("B")), "B"], ["B"]) != key_of([array(size("H")), "H"], ["H"])


DIFFERENT = [
    *(0, 0.0, -0.0, False, "0", b"0", 0j, None, ..., (), [], {}, slice(0)),
    *(array(3), array(4), array(), array(3, dtype="int32"), array(3, dtype=None), [array(3)]),
    *(NumpyArray(np.dtype("float32"), (3,)), NumpyArray(np.dtype("float32"), None), NumpyArray(None, (3,))),
    *(np.zeros(3), np.ones(3), np.zeros((3, 1)), np.zeros(3, "float32"), np.float32(0)),
    *(
        AbstractScalar(int),
        AbstractScalar(bool),
        UNKNOWN,
        np.dtype("float32"),
        np.dtype(">f4"),
        jnp.float32,
        jax.lax.add,
    ),
    *(jax.lax.Precision.HIGH, jax.lax.Precision.DEFAULT),
]


def test_what_differs_has_another_key() -> None:
    keys = [key_of(value) for value in DIFFERENT]
    assert None not in keys
    assert len(set(keys)) == len(keys)


class Holder:
    """A class of the program."""


@pytest.mark.parametrize("value", [Holder, Holder(), lambda: 0, np.zeros(1000), np.array([None]), {1, 2}])
def test_what_may_change_has_no_key(value: Any) -> None:
    assert key_of(value) is None
    assert key_of([array(3), {"axis": value}]) is None


def test_functions_that_last() -> None:
    assert all(map(is_lasting, (np.add, np.mean, operator.add, jnp.sum, jax.lax.add, int)))
    assert not any(map(is_lasting, (Holder, lambda: 0, np.zeros(3).sum, UNKNOWN, 3)))
    assert is_lasting(lasting(lambda: 0))


def test_calls_of_numpy_are_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memo, "_of_numpy", Memo())
    calls = 0

    def evaluate() -> Any:
        nonlocal calls
        calls += 1
        return [NumpyArray(np.dtype("float32"), (3,))]

    results = [of_numpy(np.split, [array(6), 2], {}, evaluate)[0] for _ in range(2)]
    assert calls == 1
    # The sizes of an array are symbols once they are read: it is another array each time.
    assert results[0] is not results[1]
    assert [(result.np_dtype, result.dims) for result in results] == [(np.dtype("float32"), (3,))] * 2
    of_numpy(np.split, [array(6), 3], {}, evaluate)
    of_numpy(np.split, [array(6), Holder()], {}, evaluate)
    of_numpy(np.split, [array(6), Holder()], {}, evaluate)
    assert calls == 4


def test_the_first_samples_tell_what_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memo, "_of_numpy", Memo())
    tried = []

    def negative(x: Any) -> Any:
        tried.append((x.dtype.name, x.ndim))
        return np.negative(x)

    result = evaluated(negative, [NumpyArray(None, None)], {})
    assert (result.np_dtype, result.dims) == (None, None)
    assert len(tried) <= 8
    tried.clear()
    result = evaluated(negative, [NumpyArray(np.dtype("int8"), (None, 3))], {})
    assert (result.np_dtype, result.dims) == (np.dtype("int8"), (None, 3))


def test_the_oldest_answers_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaxtyping_core.sampling.memo.MOST_REMEMBERED", 2)
    answers = Memo()
    for key in "abc":
        answers[key] = key
    assert [*answers] == ["b", "c"]
