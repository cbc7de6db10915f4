"""Values of a walk as they are compared with what is declared."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from ...objects import named_dtype
from ..values import arrays
from ..values.unknowns import Partial, Unknown


def declarations(name: str) -> Any:
    """A module that reads annotations or compares values with them; None where it is not imported, see `contracts.prepare`."""
    return sys.modules.get(f"jaxtyping_core.contracts.{name}")


def known(value: Any, depth: int = 0) -> Any:
    """A value with something that fits everything in place of what is not known of it."""
    if arrays.is_array(value):
        return value if all(type(size) is int for size in value.shape) else _seen(value.dtype, value.shape)
    if isinstance(value, Partial) and value.dtype_name is not None and value.dims is not None:
        return _seen(named_dtype(value.dtype_name), value.dims)
    if value is None or type(value) in (bool, int, float, complex, str):
        return value
    if depth > 40 or isinstance(value, Unknown):
        return declarations("fitting").OPEN
    if type(value) in (list, tuple):
        return type(value)(known(item, depth + 1) for item in value)
    if type(value) is dict:
        return {key: known(item, depth + 1) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        # Not by the class itself, which may be the program's and make something else of its arguments.
        return tuple.__new__(type(value), [known(item, depth + 1) for item in value])
    return declarations("fitting").OPEN


def _seen(dtype: Any, dims: Iterable[Any]) -> Any:
    """An array with sizes that are not known, which may be what is declared."""
    any_size = declarations("axes").ANY_SIZE
    return declarations("fitting").Seen(
        tuple(size if type(size) is int else any_size for size in dims), dtype
    )
