"""imageio: a picture of a file is an array of NumPy. Nothing of it is called. See https://imageio.readthedocs.io."""

from __future__ import annotations

from typing import Any

from ..engine.values.unknowns import NumpyArray
from . import Overlay, in_place_of


def _read(*_: Any, **__: Any) -> Any:
    return NumpyArray(None, None)


OVERLAY = Overlay(
    library="imageio",
    is_onlooker=True,
    may_fail=True,
    instead=in_place_of({f"{place}.imread": _read for place in ("imageio", "imageio.v2", "imageio.v3")}),
)
