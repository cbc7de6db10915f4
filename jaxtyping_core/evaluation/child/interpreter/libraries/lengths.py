"""Lists of unknown length, such as those that grow in a loop, as arguments of functions of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..control import Raised
from ..values import arrays
from ..values.joins import join_all
from ..values.unknowns import UNKNOWN, Many, NeedsValue, Number, NumpyArray

if TYPE_CHECKING:
    from ..machine import Machine

#: Lengths that an unknown one is tried as; none, too, where there may be no item.
LENGTHS = (2, 3, 1)
#: Packages whose functions take lists for arrays.
PACKAGES = ("jax", "numpy")


def has_any_length(f: Any, args: list[Any]) -> bool:
    """Whether a function of arrays is given a list of unknown length of which the items are known."""
    package = str(getattr(f, "__module__", None) or "").partition(".")[0]
    return package in PACKAGES and any(map(_is_list, args))


def of_any_length(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What such a call gives whatever the lengths are."""
    given = [arg for arg in args if _is_list(arg)]
    lengths = LENGTHS if all(arg.some for arg in given) else (*LENGTHS, 0)
    results = []
    with machine.speculating():
        machine.guards += 1
        try:
            for length in lengths:
                listed = [arg.kind([arg.item] * length) if _is_list(arg) else arg for arg in args]
                try:
                    results.append(machine.call(f, listed, kwargs))
                except (Raised, NeedsValue):
                    continue
        finally:
            machine.guards -= 1
    # What one length gives follows from it, perhaps.
    return join_all(results) if len(results) > 1 else UNKNOWN


def _is_list(value: Any) -> bool:
    if not isinstance(value, Many) or value.kind not in (list, tuple):
        return False
    item = value.item
    return arrays.description(item) is not None or isinstance(item, (Number, NumpyArray))
