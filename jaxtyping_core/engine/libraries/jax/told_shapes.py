"""Arrays that the program describes by their shapes and dtypes, without values."""

from __future__ import annotations

from typing import Any

import jax

from ...values import arrays
from ...values.unknowns import UNKNOWN


def as_told(shapes: Any) -> Any:
    """Arrays that are as descriptions of shapes and dtypes say."""

    def of_leaf(leaf: Any) -> Any:
        dtype, dims = getattr(leaf, "dtype", None), getattr(leaf, "shape", None)
        return (
            UNKNOWN
            if dtype is None or dims is None
            else arrays.array(jax.dtypes.canonicalize_dtype(dtype).name, False, tuple(dims))
        )

    return UNKNOWN if arrays.holds_unknown(shapes) else jax.tree.map(of_leaf, shapes)
