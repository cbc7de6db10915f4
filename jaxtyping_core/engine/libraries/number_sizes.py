"""Unknown ints as sizes: a call's result has their symbols where it has the sizes that these say for any numbers."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...sampling.proof import Evidence, Proof, proven
from ...sampling.tables import FEWEST_SIZES, NUMBER_SIZES
from ..control import Raised
from ..values import arrays
from ..values.conversions import as_array
from ..values.joins import same
from ..values.unknowns import UNKNOWN, NeedsValue, Number, is_scalar
from .choices import changed, unknown_in
from .sizes import resized, symbols_in, symbols_of

if TYPE_CHECKING:
    from ..machine import Machine


def with_number_symbols(machine: Machine, f: Any, arguments: Any, real: Callable[..., Any]) -> Any:
    """What `f` gives for symbols in place of unknown ints, if that is right for several numbers; UNKNOWN if it is not."""
    numbers = _ints_in(arguments)
    if not numbers:
        return UNKNOWN
    args, kwargs = changed(
        arguments,
        lambda leaf: arrays.size_of(leaf) if is_scalar(leaf, int) else as_array(leaf),
    )
    if arrays.holds_unknown([args, kwargs]):
        return UNKNOWN
    try:
        result = real(machine, f, args, kwargs)
    except (Raised, NeedsValue):
        return UNKNOWN
    symbols = list(dict.fromkeys(name for number in numbers for name in symbols_of(arrays.size_of(number))))
    accepted = 0
    for chosen in NUMBER_SIZES:
        table = dict(zip(symbols, itertools.cycle(chosen)))
        try:
            made = real(machine, f, *resized([args, kwargs], table))
        except (Raised, NeedsValue):
            continue
        accepted += 1
        if not same(made, resized(result, table)):
            return UNKNOWN
    return result if isinstance(proven(Evidence(accepted, FEWEST_SIZES)), Proof) else UNKNOWN


def shares_symbols(result: Any, arguments: Any) -> bool:
    """Whether a result has sizes that are unknown ints of a call."""
    numbers = [number for number in _ints_in(arguments) if number.size is not None]
    symbols = {name for number in numbers for name in symbols_of(number.size)}
    return bool(symbols) and not symbols.isdisjoint(symbols_in(result))


def _ints_in(value: Any) -> list[Number]:
    return [leaf for leaf in unknown_in(value) if is_scalar(leaf, int)]
