"""64-bit dtypes that a program asks JAX for by name, and does not get, because JAX's 64-bit types are off.

JAX warns of that where it first traces such a call, and says nothing where it has traced one like it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..libraries.calls.memo import module_root
from ..values import arrays
from .rule import Call, Rule

#: What JAX gives for each dtype of 64-bit parts where these are off.
NARROWED = {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}
#: What names a dtype as a text does.
TEXTS = (str, *(type(np.dtype(name)) for name in NARROWED))
#: The types of JAX and NumPy with these names, by their ids. Python's own types ask for no width.
TYPES = {id(getattr(module, name)): name for name in NARROWED for module in (jnp, np)}
LOST = (
    "{asked} is asked for, and 64-bit types are off, so the array is {got}; switch them on with"
    ' jax.config.update("jax_enable_x64", True), or ask for {got}'
)


class X64Lost(Rule):
    """Looks at what calls of JAX are given and give."""

    KIND = "x64"

    def after(self, call: Call, equations: Any) -> None:
        asked = next(_asked(call), None)
        if asked is None or not self.is_followed or jax.config.values["jax_enable_x64"]:
            return
        if NARROWED[asked] in _dtypes(call.result) and module_root(call.f) == "jax":
            self.report(LOST.format(asked=asked, got=NARROWED[asked]))

    tried = after


def _asked(call: Call) -> Iterator[str]:
    """The 64-bit dtypes that are passed to a function, or that it is itself."""
    for each in (call.f, *call.args, *call.kwargs.values()):
        name = TYPES.get(id(each)) if isinstance(each, type) else str(each) if type(each) in TEXTS else None
        if name in NARROWED:
            yield name


def _dtypes(result: Any) -> set[str | None]:
    """The dtypes of the arrays in a result."""
    each = map(arrays.known_of, result if isinstance(result, (list, tuple)) else [result])
    return {known.dtype for known in each if known is not None}
