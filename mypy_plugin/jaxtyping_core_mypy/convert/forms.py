"""Literal texts in shapes, as axes of the contracts."""

from __future__ import annotations

from mypy.types import (
    Instance,
    LiteralType,
    Type,
    UnpackType,
    get_proper_type,
)

from jaxtyping_core.contracts.axes import Axis
from jaxtyping_core.contracts.dim_strings import parse


def axis_of_text(item: Type) -> Axis | None:
    """The axis that a literal text in a shape is."""
    match get_proper_type(item):
        case UnpackType(type=Instance(args=(LiteralType(value=str() as name),))):
            return Axis(name=name, variadic=True, text=f"*{name}")
        case LiteralType(value=str() as text):
            return parse(text.replace(" ", ""))[0]  # a normal form has spaces
    return None
