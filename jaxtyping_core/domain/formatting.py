"""How people read an abstract array: ``float32[B, 3]``."""

from __future__ import annotations

from collections.abc import Sequence

from .arrays import AbstractArray

#: What stands for a dtype, a size and the dims that are not known.
ANY_DTYPE = "?"
ANY_SIZE = "?"
ANY_DIMS = "..."
#: What stands for the dtype where dtype and dims are both unknown: an array is written ``Array[...]`` then.
ANY_ARRAY = "Array"
#: What stands before a dtype that is weak.
WEAK = "weak "


def spell_array(dtype: str | None, dims: Sequence[int | str | None] | None) -> str:
    """An array as users read it; None stands for what is not known."""
    sizes = [ANY_DIMS] if dims is None else [ANY_SIZE if size is None else str(size) for size in dims]
    return f"{spell_dtype(dtype, sizes)}[{', '.join(sizes)}]"


def spell_dtype(dtype: str | None, sizes: Sequence[str]) -> str:
    """The dtype of an array with these sizes: ``?[3]``, and ``Array[...]``, which still says that it is an array."""
    return dtype or (ANY_ARRAY if sizes == [ANY_DIMS] else ANY_DTYPE)


def spell(array: AbstractArray) -> str:
    """An abstract array, after a word on a dtype that is weak: ``weak float32[B, 3]``."""
    return WEAK * is_shown_weak(array) + spell_array(array.dtype, array.shape)


def is_shown_weak(array: AbstractArray) -> bool:
    """Whether a dtype is shown that is weak."""
    return array.dtype is not None and bool(array.weak)
