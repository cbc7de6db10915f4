"""What is known of libraries: one module, or one folder, for each, under its name. `Overlay` says what it may tell.

Other packages register overlays as entry points of the group ``jaxtyping_core.overlays``. They import from here alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay, words

if TYPE_CHECKING:
    from ..engine.values.unknowns import UNKNOWN
    from ._describing import Object, array, dtype_of, in_place_of, many, number, numpy_array, shape_of

#: Libraries without an overlay whose functions keep nothing of what they are passed, and change nothing of it.
ONLOOKERS = words(
    """
    datasets matplotlib mlflow orbax plotly psutil requests rich seaborn
    tensorboard tensorboardX
    """
)

__all__ = [
    "ONLOOKERS",
    "UNKNOWN",
    "Object",
    "Overlay",
    "array",
    "dtype_of",
    "in_place_of",
    "many",
    "number",
    "numpy_array",
    "shape_of",
]


def __getattr__(name: str) -> Any:
    """What describes arrays needs JAX, which a process that reads only tables of overlays does not have."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _describing  # when it is used

    return getattr(_describing, name)
