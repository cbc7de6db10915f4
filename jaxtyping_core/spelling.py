"""How messages spell an array: ``float32[B, 3]``."""

from __future__ import annotations

from collections.abc import Sequence

#: What stands for a dtype, a size and the dims that are not known.
ANY_DTYPE = "Array"
ANY_SIZE = "?"
ANY_DIMS = "..."


def spell_array(dtype: str | None, dims: Sequence[int | str | None] | None) -> str:
    """An array as users read it; None stands for what is not known."""
    sizes = [ANY_DIMS] if dims is None else [ANY_SIZE if size is None else str(size) for size in dims]
    return f"{dtype or ANY_DTYPE}[{', '.join(sizes)}]"
