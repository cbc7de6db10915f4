"""Every ordered pair of dtypes, weak types and Python scalars, under each kind of operation."""

from __future__ import annotations

import functools
import itertools
import random

from conformance import variables
from jaxtyping_core import dtypes

#: The operations, with their two operands.
OPERATIONS = (
    *("{} + {}", "jnp.add({}, {})", "{} / {}", "jnp.divide({}, {})", "{} ** {}", "jnp.power({}, {})"),
    *("{} < {}", "{} == {}", "jnp.less({}, {})", "{} & {}", "jnp.bitwise_and({}, {})", "{} << {}"),
)
#: The operations that are tried in full where the others are sampled.
MAIN = ("{} + {}", "{} / {}")


@functools.cache
def expressions(x64: bool, operations: tuple[str, ...] = OPERATIONS) -> tuple[tuple[str, str], ...]:
    """All (operation, expression) pairs; dtypes that JAX does not have in the x64 mode are left out."""
    names = [name for name in variables.DTYPES if dtypes.canonical(name, x64) == name]
    arrays = [f"{name}_3" for name in (*names, *dtypes.WEAK)]
    operands = (*arrays, *variables.PYTHON)
    return tuple(
        (operation.format("x", "y"), operation.format(x, y))
        for operation in operations
        for x, y in itertools.product(operands, repeat=2)
        if x in arrays or y in arrays or "(" in operation  # operators on two Python scalars are Python's
    )


def sample(x64: bool, size: int, seed: int) -> tuple[tuple[str, str], ...]:
    """Some of the pairs; with 32 bits, all pairs under the main operations besides."""
    chosen = random.Random(seed).sample(expressions(x64), size)
    return (*chosen, *(pair for pair in ([] if x64 else expressions(x64, MAIN)) if pair not in set(chosen)))
