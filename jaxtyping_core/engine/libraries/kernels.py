"""Kernels of Pallas: JAX traces them with references to blocks, and their results are as they are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
from jax.experimental import pallas

from ..control import Raised
from ..values import arrays
from ..values.unknowns import UNKNOWN, NeedsValue
from . import gate
from .told_shapes import as_told

if TYPE_CHECKING:
    from ..interpreter import Machine


def is_reference(value: Any) -> bool:
    """Whether a value is a reference to an array that a kernel reads and writes."""
    if not isinstance(value, jax.core.Tracer):
        return False
    return type(value.aval).__name__ in ("AbstractRef", "AbstractMemoryRef", "TransformedRef")


def store(machine: Machine, reference: Any, key: Any, value: Any) -> None:
    """``reference[key] = value``."""
    if arrays.holds_unknown([key, value]):
        return
    machine.real(_stored, [reference, key, value], {})


def _stored(reference: Any, key: Any, value: Any) -> None:
    reference[key] = value


def _pallas_call(machine: Machine) -> Callable[..., Any]:
    real_call = pallas.pallas_call

    def pallas_call(kernel: Any = UNKNOWN, out_shape: Any = UNKNOWN, **options: Any) -> Any:
        def called(*args: Any) -> Any:
            is_known = not arrays.holds_unknown([kernel, out_shape, options, args])
            if is_known and gate.may_have(machine, [kernel, out_shape, options, args]):
                try:
                    with machine.within(retrying=True):
                        return machine.real(
                            lambda *operands: real_call(kernel, out_shape, **options)(*operands),
                            list(args),
                            {},
                        )
                except (Raised, NeedsValue):
                    machine.may_raise_epoch += 1
            machine.escape([kernel])
            return as_told(out_shape)

        return machine.natives.function(called)

    return pallas_call


FUNCTIONS: dict[str, Callable[[Machine], Callable[..., Any]]] = {
    "jax.experimental.pallas.pallas_call": _pallas_call
}
