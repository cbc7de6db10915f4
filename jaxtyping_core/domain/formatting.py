"""How people read an abstract array: ``float32[B, 3]``."""

from __future__ import annotations

from collections.abc import Sequence

from .arrays import AbstractArray

#: What stands for a dtype, a size and the dims that are not known.
ANY_DTYPE = "Array"
ANY_SIZE = "?"
ANY_DIMS = "..."
#: What stands before a dtype that is weak.
WEAK = "weak "


def spell_array(
    dtype: str | None, dims: Sequence[int | str | None] | None, any_dtype: str = ANY_DTYPE
) -> str:
    """An array as users read it; None stands for what is not known."""
    sizes = [ANY_DIMS] if dims is None else [ANY_SIZE if size is None else str(size) for size in dims]
    return f"{dtype or any_dtype}[{', '.join(sizes)}]"


def spell(array: AbstractArray) -> str:
    """An abstract array, after a word on a dtype that is weak: ``weak float32[B, 3]``."""
    return WEAK * is_shown_weak(array) + spell_array(array.dtype, array.shape)


def is_shown_weak(array: AbstractArray) -> bool:
    """Whether a dtype is shown that is weak."""
    return array.dtype is not None and bool(array.weak)
