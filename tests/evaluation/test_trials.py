"""How long calls are tried of which nothing comes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from jaxtyping_core.evaluation.child.interpreter.libraries import draws
from jaxtyping_core.evaluation.child.interpreter.libraries.opened import Libraries
from jaxtyping_core.evaluation.child.interpreter.machine import Machine
from jaxtyping_core.evaluation.child.interpreter.values.unknowns import UNKNOWN

#: The steps of one call, as those of a loop of JAX that walks through a function of the program.
STEPS = 100


def choices() -> Iterator[Any]:
    while True:
        yield ([], {}), None


@pytest.mark.parametrize(("accepted", "most"), [(0, draws.MOST_IN_VAIN), (1, draws.MOST_STEPS)])
def test_calls_that_take_nothing_are_given_up_early(accepted: int, most: int) -> None:
    machine = Machine({}, Libraries([]), 60.0)
    calls = 0

    def walks() -> int:
        nonlocal calls
        calls += 1
        for _ in range(STEPS):
            machine.step()
        if calls > accepted:
            raise TypeError
        return 0

    assert draws._agreed(machine, walks, choices()) is UNKNOWN
    assert most / STEPS - 1 <= calls <= most / STEPS + 1
