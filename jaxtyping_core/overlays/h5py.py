"""h5py: what is read of a file is an array of NumPy, or a number, whatever the file holds. Nothing of it is called.

See https://docs.h5py.org/en/stable/high/dataset.html.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import UNKNOWN, AbstractScalar, AbstractSequence, NumpyArray

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives


def _entry(natives: Natives) -> Namespace:
    """A data set, or a group of such: an item that a text names is another one, and others are arrays."""
    function = natives.function

    def item(key: Any = UNKNOWN) -> Any:
        if type(key) is str:
            return _entry(natives)
        return NumpyArray(None, None) if _is_of_rows(key) else UNKNOWN

    nothing = function(lambda *_, **__: None)
    return Namespace(
        __getitem__=function(item),
        keys=function(lambda: AbstractSequence(AbstractScalar(str))),
        attrs=UNKNOWN,
        close=nothing,
        flush=nothing,
    )


def _is_of_rows(key: Any) -> bool:
    """Whether a key takes the numbers of a data set: ``[:]``, ``[...]``, ``[()]``, or some of its rows."""
    parts = key if type(key) is tuple else (key,)
    return all(type(part) in (int, slice, type(...)) for part in parts)


def _namespaces(natives: Natives) -> dict[str, Any]:
    return {"h5py": Namespace("h5py", File=natives.function(lambda *_, **__: _entry(natives)))}


OVERLAY = Overlay(library="h5py", may_fail=True, instead=_namespaces)
