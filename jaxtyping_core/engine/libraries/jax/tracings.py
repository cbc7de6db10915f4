"""A trace of our own for what JAX would trace, where it cannot be asked because an argument is not known."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax

from ...values import arrays, traces
from ...values.trees import map_tree
from ...values.unknowns import UNKNOWN

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: Values in which no array is.
_PLAIN = (int, float, complex, bool, str, bytes, type(None))


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


def computed(
    interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any], error: Exception
) -> Any:
    """What a call gives that asks arrays of its own for their numbers, as makers of environments do; unknown if that may not be.

    An evaluation is a trace, which the program is not under. So JAX may compute such numbers, as it does when the program runs.
    """
    is_asked = isinstance(error, TypeError) and type(error).__module__ == "jax.errors"
    is_outside = interpreter.traces.base is not None and traces.current() is interpreter.traces.base
    is_function = isinstance(f, (types.FunctionType, type))
    if not (is_asked and is_outside and is_function and all(map(_is_plain, (*args, *kwargs.values())))):
        return UNKNOWN
    try:
        with jax.ensure_compile_time_eval():
            return f(*args, **kwargs)
    except Exception:  # real code may raise anything: then nothing is known, as before
        return UNKNOWN


def _is_plain(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return all(map(_is_plain, value))
    return type(value) in _PLAIN
