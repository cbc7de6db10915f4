"""Kernels of Pallas: JAX traces them with references to blocks, and their results are as they are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
from jax.experimental import pallas

from ...control import RaisedException
from ...values import arrays
from ...values.unknowns import UNKNOWN, ConcretizationError
from ..trust import gate
from .told_shapes import as_told

if TYPE_CHECKING:
    from ...interpreter import Interpreter


def is_reference(value: Any) -> bool:
    """Whether a value is a reference to an array that a kernel reads and writes."""
    if not isinstance(value, jax.core.Tracer):
        return False
    return type(value.aval).__name__ in ("AbstractRef", "AbstractMemoryRef", "TransformedRef")


def store(interpreter: Interpreter, reference: Any, key: Any, value: Any) -> None:
    """``reference[key] = value``."""
    if arrays.holds_unknown([key, value]):
        return
    interpreter.real(_stored, [reference, key, value], {})


def _stored(reference: Any, key: Any, value: Any) -> None:
    reference[key] = value


def _pallas_call(interpreter: Interpreter) -> Callable[..., Any]:
    real_call = pallas.pallas_call

    def pallas_call(kernel: Any = UNKNOWN, out_shape: Any = UNKNOWN, **options: Any) -> Any:
        def called(*args: Any) -> Any:
            is_known = not arrays.holds_unknown([kernel, out_shape, options, args])
            if is_known and gate.may_have(interpreter, [kernel, out_shape, options, args]):
                try:
                    with interpreter.within(retrying=True):
                        return interpreter.real(
                            lambda *operands: real_call(kernel, out_shape, **options)(*operands),
                            list(args),
                            {},
                        )
                except (RaisedException, ConcretizationError):
                    interpreter.may_raise_epoch += 1
            interpreter.escape([kernel])
            return as_told(out_shape)

        return interpreter.natives.function(called)

    return pallas_call


FUNCTIONS: dict[str, Callable[[Interpreter], Callable[..., Any]]] = {
    "jax.experimental.pallas.pallas_call": _pallas_call
}
