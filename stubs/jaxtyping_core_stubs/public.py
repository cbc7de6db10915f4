"""``jaxtyping_core/typing.pyi``: what users import to write annotations."""

from __future__ import annotations

from jaxtyping_core import dtypes

from . import scalars, switches

#: The module that the stub is for.
MODULE = "jaxtyping_core.typing"

HEAD = """
import sys
from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeAlias, TypeGuard, overload
from typing_extensions import TypeIs, Unpack

from jax._src.basearray import Array as Array
from jax._src.basearray import ArrayLike as ArrayLike
from jax._src.basearray import _AnyArray, _D, _Dims, _NumPyArray, _Rank, _T, _Unranked
from jax._src.typing import DType as DType, DTypeLike as DTypeLike
from jaxtyping_core._annotations.named_shape import NamedShape as NamedShape
"""

TAIL = """
ShapeLike: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
Shape: TypeAlias = tuple[int, ...]

Like: TypeAlias = _T | _NumPyArray[_T]
"""

# mypy alone narrows by TypeIs as far as it is known and no further: pyright takes all that follows for unreachable
# where an array of unknown dtype is none of float32. For the others a TypeGuard narrows to what is asked for.
MYPY_NARROWS = "def is_array(value: object, annotation: type[_AnyArray], /) -> TypeIs[_AnyArray]: ..."

# To pyright, pyrefly and ty a bare `Float32` has the variable of its alias for a shape. pyrefly matches that with
# everything, pyright with any number of objects, and ty with nothing that has a length.
OTHERS_NARROW = """\
@overload
def is_array(value: object, annotation: type[Array[_D, _Unranked]] | type[Array[_D, tuple[object, ...]]], /) -> TypeGuard[Array[_D, Any]]: ...
@overload
def is_array(value: object, annotation: type[Array[_D, _Rank]], /) -> TypeGuard[Array[_D, _Rank]]: ...
@overload
def is_array(value: object, annotation: type[Array[_D, Any]], /) -> TypeGuard[Array[_D, Any]]: ...
"""


def render() -> str:
    """The text of the stub."""
    exports = [
        f"from jax._src.numpy.scalar_types import {name} as {name}\n" for name in scalars.class_names()
    ]
    aliases = [
        f"{alias}: TypeAlias = Array[{cls}, tuple[Unpack[_Dims]]]\n" for alias, cls in annotated().items()
    ]
    narrowing = switches.for_mypy_and_others([MYPY_NARROWS], OTHERS_NARROW.splitlines())
    return "".join((HEAD, *exports, "\n", *aliases, TAIL, "\n", *(f"{line}\n" for line in narrowing)))


def annotated() -> dict[str, str]:
    """The aliases (``Float32``), each with the class of its dtypes."""
    rows = {row.alias: row.class_name for row in dtypes.DTYPES.values() if scalars.has_class(row)}
    return rows | {alias: name for name, alias in dtypes.ABSTRACT_ALIASES.items()}
