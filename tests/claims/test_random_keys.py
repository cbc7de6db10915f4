"""Programs about random keys are run: where a key is reported to be used twice, some key is, and nowhere else.

Samplers and `jax.random.split` use the key that they get. What each gets is known by its words, also under transformations.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import jax
import pytest

from claims import cases, running
from claims.cases import CASES, Case

OF_KEYS = [case for case in CASES if case.file.startswith("random_keys")]
#: The functions of `jax.random` in the programs that use the key that they get.
CONSUMING = ("normal", "uniform", "bernoulli", "split")
#: Programs that make one key twice, which is none that is used twice, and one that may use one key of two.
SAME_WORDS = {"a key of another seed", "one of two keys", "a clone"}


def observed(function: Callable[..., Any], seen: Counter[bytes]) -> Callable[..., Any]:
    """The function, which counts the keys that it gets."""

    @functools.wraps(function)
    def counting(key: Any, *args: Any, **kwargs: Any) -> Any:
        is_typed = jax.dtypes.issubdtype(key.dtype, jax.dtypes.prng_key)
        words = jax.random.key_data(key) if is_typed else key
        jax.debug.callback(lambda each: seen.update([each.tobytes()]), words)
        return function(key, *args, **kwargs)

    return counting


def uses(case: Case, unknown: Any) -> Counter[bytes]:
    """How often the program uses each key."""
    seen: Counter[bytes] = Counter()
    of_random = {name: observed(getattr(jax.random, name), seen) for name in CONSUMING}
    with mock.patch.multiple(jax.random, **of_random):
        running.variables_of(case, unknown)
        jax.effects_barrier()
    return seen


def parameters() -> Iterator[Any]:
    for case in OF_KEYS:
        for text in case.directives.unknown or ("None",):
            yield pytest.param(case, text, id=f"{case.name}: {text}")


@pytest.mark.parametrize(("case", "unknown"), [*parameters()])
def test_keys_are_used_twice_where_it_is_reported(case: Case, unknown: str) -> None:
    jax.clear_caches()  # a function that JAX has traced before is not called again
    is_twice = max(uses(case, eval(unknown)).values()) > 1
    if case.name not in SAME_WORDS:
        assert is_twice == bool(case.errors)
    assert not (case.name in SAME_WORDS and case.errors)


def test_there_are_enough_of_both() -> None:
    wrong = [case for case in OF_KEYS if case.errors]
    assert len(wrong) >= 20 and len(OF_KEYS) - len(wrong) >= 20
    assert {case.name for case in OF_KEYS} >= SAME_WORDS
    assert cases.of("engine")
