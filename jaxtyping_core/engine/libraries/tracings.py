"""A trace of our own for what JAX would trace, where it cannot be asked because an argument is not known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax

from ..values import arrays
from ..values.trees import map_tree

if TYPE_CHECKING:
    from ..interpreter import Interpreter


def under_trace(interpreter: Interpreter, walk: Callable[[], Any]) -> Any:
    """What `walk` gives, which walks a function under a trace of its own, for the walk outside of it."""
    results: list[Any] = []

    def whole() -> int:
        interpreter.traces.begin()
        results.append(walk())
        return 0

    jax.eval_shape(whole)
    return renewed(results[0])


def renewed(value: Any) -> Any:
    """A value with arrays of the present trace in place of all that it holds of others."""

    def of_leaf(leaf: Any) -> Any:
        known = arrays.known_of(leaf)
        return leaf if known is None else arrays.of_known(known)

    try:
        return map_tree(of_leaf, value)
    except Exception:  # code of registered classes may raise anything: then it stays as it is
        return value
