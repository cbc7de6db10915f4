"""``jax.jit(f).lower(...)`` and ``jax.export.export(...)``: they trace a function for arguments of these shapes and dtypes.

What they give is not computed. What a program may call of it gives arrays of the shapes and dtypes that the trace has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax

from ....identity import identity
from ...values import arrays
from ...values.callables import Namespace
from ...values.trees import mapped
from ...values.unknowns import UNKNOWN
from . import tracings
from .transformations import KEEPING

if TYPE_CHECKING:
    from ...interpreter import Interpreter
    from ..natives import Natives

#: The methods of a jitted function that trace it.
METHODS = ("lower", "trace")


def method(interpreter: Interpreter, value: Any, name: str) -> Callable[..., Any] | None:
    """Such a method of a jitted function; None for everything else."""
    return lowering(interpreter, value) if name in METHODS and _is_jitted(interpreter, value) else None


def lowering(interpreter: Interpreter, function: Any) -> Callable[..., Any]:
    """What lowers a function."""
    native = interpreter.natives.function

    def lower(*args: Any, **kwargs: Any) -> Any:
        passed = [mapped(_of_leaf, value) for value in args]
        named = {name: mapped(_of_leaf, value) for name, value in kwargs.items()}
        # No call of the program: so JAX does not compile it again for the next one.
        result = tracings.under_trace(interpreter, lambda: interpreter.call(function, passed, named))
        is_known = not arrays.holds_unknown([passed, named])
        called = native(lambda *_, **__: tracings.renewed(result) if is_known else UNKNOWN)
        lowered = Namespace(call=called, compile=native(lambda *_, **__: called))
        lowered.names["lower"] = native(lambda *_, **__: lowered)
        return lowered

    return native(lower)


def namespaces(natives: Natives) -> dict[str, Any]:
    """``jax.export``, of which only this is seen."""
    interpreter = natives.interpreter

    def export(function: Any = UNKNOWN, **_: Any) -> Any:
        return lowering(interpreter, function) if _is_jitted(interpreter, function) else UNKNOWN

    return {"jax.export": Namespace("jax.export", export=natives.function(export))}


def _is_jitted(interpreter: Interpreter, value: Any) -> bool:
    made = interpreter.made.get(identity(value))
    return made is not None and made.kind in KEEPING and callable(getattr(made.value, "lower", None))


def _of_leaf(leaf: Any) -> Any:
    """An argument: an array if it is described by its shape and dtype."""
    if not isinstance(leaf, jax.ShapeDtypeStruct):
        return leaf
    if jax.dtypes.canonicalize_dtype(leaf.dtype) != leaf.dtype:
        return UNKNOWN
    return arrays.array(leaf.dtype.name, leaf.weak_type, tuple(leaf.shape))
