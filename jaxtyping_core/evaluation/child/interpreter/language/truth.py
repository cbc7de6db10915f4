"""What Python takes for true."""

from __future__ import annotations

from typing import Any

from ..values import arrays
from ..values.unknowns import Many, Unknown, is_dim


def truth(value: Any) -> bool | None:
    """Whether a value is true; None where that is not known."""
    if isinstance(value, Many):
        return True if value.some else None
    if isinstance(value, Unknown) or is_dim(value) or arrays.is_array(value):
        return None
    try:
        outcome = bool(value)
    except Exception:  # code of objects may raise anything: then no more is known
        return None
    return outcome
