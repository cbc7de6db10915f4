"""How editors show an array: in a hint, and as an annotation to insert or to copy."""

from __future__ import annotations

import re

from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.domain.formatting import ANY_DIMS, ANY_SIZE, is_shown_weak, spell_dtype
from jaxtyping_core.dtypes import DTYPES

#: The first letters of dtypes, as JAX shortens them in its jaxprs: ``f32``, ``bf16``, ``i8``.
SHORT = (("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i"), ("complex", "c"), ("key<fry>", "key"))


def short(array: AbstractArray) -> str:
    """An array in as little space as may be: ``f32[B T D]``; ``~f32[]`` if it is weak."""
    dims = (
        [ANY_DIMS]
        if array.shape is None
        else [ANY_SIZE if dim is None else _plain(dim) for dim in array.shape]
    )
    dtype = spell_dtype(array.dtype, dims)
    name, letters = next((pair for pair in SHORT if dtype.startswith(pair[0])), ("", ""))
    return f"{'~' * is_shown_weak(array)}{letters}{dtype.removeprefix(name)}[{' '.join(dims)}]"


def _plain(dim: int | str) -> str:
    return str(dim).replace(" ", "")


def annotation(array: AbstractArray, jaxtyping: bool) -> str | None:
    """The annotation for an array, in jaxtyping's form or in ours; None if there is none that says it."""
    if array.dtype not in DTYPES or array.shape is None:
        return None
    alias = DTYPES[array.dtype].alias
    if jaxtyping:
        dims = " ".join("_" if dim is None else _plain(dim) for dim in array.shape)
        return f'{alias}[Array, "{dims}"]'
    if any(isinstance(dim, str) and not re.fullmatch(r"\w+", dim) for dim in array.shape):
        return None
    parts = [
        "Any" if dim is None else f"Literal[{dim}]" if isinstance(dim, int) else dim for dim in array.shape
    ]
    return f"{alias}[{', '.join(parts) or '()'}]"
