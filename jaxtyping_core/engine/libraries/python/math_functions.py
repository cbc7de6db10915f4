"""The functions of ``math``, for values that may be unknown, or arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...language.operators import times
from ...language.sequences import items_of
from ...language.tracing import asked
from ...values import arrays
from ...values.unknowns import UNKNOWN, AbstractScalar, is_dim, is_scalar
from ..trust.tables import MATH

if TYPE_CHECKING:
    from ...interpreter import Interpreter

Maker = Callable[["Interpreter"], Callable[..., Any]]


def _of_floats(name: str) -> Maker:
    """A function of ``math``."""
    real = getattr(math, name)
    whole = name in ("floor", "ceil", "trunc", "gcd", "lcm", "comb", "perm", "isqrt", "factorial")
    kind = int if whole else bool if name.startswith("is") else float

    def make(interpreter: Interpreter) -> Callable[..., Any]:
        def computed(*args: Any, **kwargs: Any) -> Any:
            for arg in () if whole else args:
                asked(interpreter, arg, "math")
            if arrays.holds_unknown([args, kwargs]) or any(arrays.is_array(a) or is_dim(a) for a in args):
                return AbstractScalar(kind)
            if any(type(arg) is int and arg.bit_length() > 64 for arg in args) or (
                name in ("factorial", "comb", "perm") and any(type(arg) is int and arg > 500 for arg in args)
            ):
                return AbstractScalar(kind)
            try:
                return real(*args, **kwargs)
            except Exception as error:  # what real code raises is what the program would meet
                return interpreter.failed(error)

        return computed

    return make


def _product(interpreter: Interpreter) -> Callable[..., Any]:
    def product(iterable: Any, *, start: Any = 1) -> Any:
        items = items_of(interpreter, iterable)
        if items.listed is None:
            return AbstractScalar(int) if is_scalar(items.item, int) else UNKNOWN
        total = start
        for item in items.listed:
            total = interpreter.call(times, [total, item], {})
        return total

    return product


FUNCTIONS: dict[str, Maker] = {
    **{f"math.{name}": _of_floats(name) for name in MATH},
    "math.prod": _product,
}
