"""Types for JAX programs: `Array[float32, tuple[B, D]]`, `Float32[B, D]`, `ArrayLike`, `DTypeLike`, ....

Type checkers read ``typing.pyi`` next to this file. At run time the same names work in `isinstance`, for
arrays and for tracers. Importing them does not import JAX. The dtype classes and the aliases are generated
from the dtype table.
"""

from __future__ import annotations

from jaxtyping_core._annotations.array import ALIASES, Array, is_array
from jaxtyping_core._annotations.inputs import ArrayLike, DType, DTypeLike, Shape, ShapeLike
from jaxtyping_core._annotations.like import Like
from jaxtyping_core._annotations.named_shape import NamedShape
from jaxtyping_core._annotations.scalars import CLASSES

globals().update(CLASSES | ALIASES)

__all__ = ["Array", "ArrayLike", "DType", "DTypeLike", "Like", "NamedShape", "Shape", "ShapeLike", "is_array"]
__all__.extend([*CLASSES, *ALIASES])  # pyright: ignore[reportUnsupportedDunderAll]
