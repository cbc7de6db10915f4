"""``jax/_src/numpy/scalar_types.pyi``: the dtypes as classes."""

from __future__ import annotations

from collections.abc import Iterator

import jax._src.numpy.scalar_types as source

from jaxtyping_core import dtypes
from jaxtyping_core.dtypes import DTypeInfo

HEAD = """
from typing import Any, ClassVar, Final

import numpy as _np

from jax._src.basearray import Array

# Whether JAX computes with 64-bit types: mypy's always_true, pyright's defineConstant.
JAX_ENABLE_X64: Final = False

class _ScalarMeta(type):
    dtype: _np.dtype[Any]
    @property
    def __numpy_dtype__(self) -> _np.dtype[Any]: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
"""

# mypy takes the first of the branches where it is told nothing, pyright the last: both are 32 bits wide.
WEAK = """
if not JAX_ENABLE_X64:
    class {name}({narrow}): ...
elif JAX_ENABLE_X64:
    class {name}({wide}): ...
else:
    class {name}({narrow}): ...
"""


def render() -> str:
    """The text of the stub."""
    return "".join((HEAD, *_abstract(), *map(_concrete, dtypes.DTYPES.values()), *_weak(), "\n", *_aliases()))


def class_names() -> list[str]:
    """The classes that stand for dtypes in annotations: abstract, of a dtype, weak."""
    rows = [row.class_name for row in dtypes.DTYPES.values() if has_class(row)]
    return [*dtypes.ABSTRACT, *rows, *dtypes.WEAK]


def has_class(row: DTypeInfo) -> bool:
    """Whether arrays of the dtype are annotated with a class of this project."""
    return row.promotes or row.name == "float0"


def _abstract() -> Iterator[str]:
    for name, parent in dtypes.ABSTRACT.items():
        yield f"\nclass {name}({parent}): ...\n" if parent else f"\nclass {name}: ...\n"


def _concrete(row: DTypeInfo) -> str:
    if not has_class(row):
        return ""
    name = row.class_name
    return (
        f"\nclass {name}({row.parent}, metaclass=_ScalarMeta):\n"
        f"    dtype: ClassVar[_np.dtype[Any]]\n"
        f"    def __new__(cls, x: Any = ..., /) -> Array[{name}, Any]: ...\n"
    )


def _weak() -> Iterator[str]:
    for name, kind in dtypes.WEAK.items():
        narrow, wide = (dtypes.DTYPES[dtypes.default_dtype(kind, x64)].class_name for x64 in (False, True))
        yield WEAK.format(name=name, narrow=narrow, wide=wide)


def _aliases() -> Iterator[str]:
    """Further names of the module for the same classes (``int_``, ``single``)."""
    written = set(class_names())
    for name, value in sorted(vars(source).items()):
        if isinstance(value, source._ScalarMeta) and name not in written:
            yield f"{name} = {dtypes.DTYPES[value.dtype.name].class_name}\n"
