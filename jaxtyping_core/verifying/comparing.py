"""Whether a program asks of symbols what depends on the numbers that they stand for."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def comparisons() -> Iterator[list[bool]]:
    """Note whether the program asks of symbols what depends on the numbers that they stand for.

    JAX says that two symbols are not equal, and that one is true, which holds for some numbers only. JAX itself
    takes that into account.
    """
    from jax import export

    kind: Any = type(export.symbolic_shape("n")[0])
    equal = kind.__eq__
    seen: list[bool] = []

    def equals(self: Any, other: Any) -> Any:
        answer = equal(self, other)
        if not answer and isinstance(other, int | kind) and _is_by_program() and _may_be_equal(self, other):
            seen.append(True)
        return answer

    def is_true(self: Any) -> bool:
        if _is_by_program() and _may_be_equal(self, 0):
            seen.append(True)
        return True

    hashed = kind.__hash__
    try:
        kind.__eq__, kind.__bool__ = equals, is_true
        kind.__hash__ = hashed
        yield seen
    finally:
        kind.__eq__ = equal
        del kind.__bool__


def _is_by_program() -> bool:
    """Whether the comparison stands in the program, or in a library that knows nothing of symbols."""
    module = str(sys._getframe(2).f_globals.get("__name__", ""))
    return module.partition(".")[0] not in ("jax", "jaxtyping_core", "numpy")


def _may_be_equal(a: Any, b: Any) -> bool:
    from jax.errors import InconclusiveDimensionOperation

    try:
        return not (bool(a > b) or bool(a < b))
    except InconclusiveDimensionOperation:
        return True
