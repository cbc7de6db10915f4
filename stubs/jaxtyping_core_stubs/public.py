"""``jaxtyping_core/typing.pyi``: what users import to write annotations."""

from __future__ import annotations

from jaxtyping_core import dtypes

from . import scalars

HEAD = """
from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeAlias
from typing_extensions import TypeVarTuple, Unpack

from jax._src.basearray import Array as Array, ArrayLike as ArrayLike, Unk
from jax._src.typing import DType as DType, DTypeLike as DTypeLike
from jaxtyping_core._annotations.named_shape import NamedShape as NamedShape
"""

TAIL = """
ShapeLike: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
Shape: TypeAlias = tuple[int, ...]
"""

# The default is written so that a bare alias means any shape.
DIMS = '\n_Dims = TypeVarTuple("_Dims", default=Unpack[tuple[Unk, ...]])\n\n'


def render() -> str:
    """The text of the stub."""
    exports = [
        f"from jax._src.numpy.scalar_types import {name} as {name}\n" for name in scalars.class_names()
    ]
    aliases = [
        f"{alias}: TypeAlias = Array[{cls}, tuple[Unpack[_Dims]]]\n" for alias, cls in annotated().items()
    ]
    return "".join((HEAD, *exports, DIMS, *aliases, TAIL))


def annotated() -> dict[str, str]:
    """The aliases (``Float32``), each with the class of its dtypes."""
    rows = {row.alias: row.class_name for row in dtypes.DTYPES.values() if scalars.has_class(row)}
    return rows | {alias: name for name, alias in dtypes.ABSTRACT_ALIASES.items()}
