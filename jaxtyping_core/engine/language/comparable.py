"""Values of a walk as they are compared with what is declared."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from ..values import arrays
from ..values.unknowns import Partial, is_unknown


def contracts(name: str) -> Any:
    """A module of the contracts; None where it is not imported, see `contracts.prepare`."""
    return sys.modules.get(f"jaxtyping_core.contracts.{name}")


def known(value: Any, depth: int = 0) -> Any:
    """A value with what is open in place of what is not known of it."""
    values = contracts("values")
    if arrays.is_array(value):
        return (
            value
            if all(type(size) is int for size in value.shape)
            else _abstract(frozenset((value.dtype.name,)), value.shape)
        )
    if isinstance(value, Partial) and value.known.dtypes is not None and value.dims is not None:
        return _abstract(value.known.dtypes, value.dims)
    if value is None or type(value) in (bool, int, float, complex, str):
        return value
    if depth > 40 or is_unknown(value):
        return values.OPEN
    if type(value) in (list, tuple):
        return type(value)(known(item, depth + 1) for item in value)
    if type(value) is dict:
        return {key: known(item, depth + 1) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        # Not by the class itself, which may be the program's and make something else of its arguments.
        return tuple.__new__(type(value), [known(item, depth + 1) for item in value])
    return values.OPEN


def _abstract(dtypes: frozenset[str], shape: Iterable[Any]) -> Any:
    """An array whose symbolic sizes may be any: two symbols of a walk may be one size.

    It is of the class that the contracts have, which are loaded under the package's own name.
    """
    return contracts("values").AbstractArray(
        dtypes, None, tuple(size if type(size) is int else None for size in shape)
    )
