"""The limits of a run hold for samples as well."""

from __future__ import annotations

import math
from typing import Any

import pytest

from jaxtyping_core.engine.budget import INTERVAL, Budget
from jaxtyping_core.engine.control import Exhausted
from jaxtyping_core.engine.libraries import draws, size_trials
from jaxtyping_core.engine.libraries.opened import Libraries
from jaxtyping_core.engine.machine import Machine
from jaxtyping_core.engine.values import arrays


def test_each_sample_looks_at_the_time() -> None:
    budget = Budget(-1)
    budget.step()  # one of several before the time is looked at
    with pytest.raises(Exhausted):
        budget.sample()


def test_samples_count_as_steps() -> None:
    budget = Budget(math.inf)
    with budget.at_most(steps=1):
        budget.sample()
        with pytest.raises(Exhausted):
            budget.sample()


def test_a_call_ends_with_the_run() -> None:
    calls = 0

    def refusing(*args: Any) -> None:
        nonlocal calls
        calls += 1
        raise ValueError("no" * calls)  # in other words each time, so that further samples are tried

    refusing.__module__ = "jax.numpy"
    machine = Machine({}, Libraries([]), math.inf)
    machine.budget.is_stopped = lambda: calls == 3
    with pytest.raises(Exhausted):
        draws.partially(machine, refusing, [arrays.array(None, None, None)], {})
    assert calls == 3 < INTERVAL


def test_a_call_of_known_arrays_is_a_sample() -> None:
    machine = Machine({}, Libraries([]), -1)
    with pytest.raises(Exhausted):
        size_trials.really(machine, abs, [1], {})
