"""Unknown ints as sizes: a call's result has their symbols where it has the sizes that these say for any numbers."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....sampling.calls import Budget, Refused, Trials, Values, abstract_call
from ....sampling.proof import Evidence, Known
from ....sampling.tables.limits import FEWEST_SIZES
from ....sampling.tables.sizes import NUMBER_SIZES
from ...control import RaisedException
from ...values import arrays
from ...values.conversions import as_array
from ...values.sameness import same
from ...values.unknowns import UNKNOWN, AbstractScalar, ConcretizationError, is_scalar
from .choices import changed, unknown_in
from .sizes import resized, symbols_in, symbols_of

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: Each sample confirms the result with symbols, or shows that it is wrong.
CONFIRMATIONS = Values(lambda _, latest: latest, lambda common, _: common, lambda value: value is UNKNOWN)


def with_number_symbols(interpreter: Interpreter, f: Any, arguments: Any, real: Callable[..., Any]) -> Any:
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
        result = real(interpreter, f, args, kwargs)
    except (RaisedException, ConcretizationError):
        return UNKNOWN
    symbols = list(dict.fromkeys(name for number in numbers for name in symbols_of(arrays.size_of(number))))

    def run(chosen: tuple[int, ...]) -> Any:
        table = dict(zip(symbols, itertools.cycle(chosen)))
        try:
            made = real(interpreter, f, *resized([args, kwargs], table))
        except (RaisedException, ConcretizationError):
            raise Refused from None
        return result if same(made, resized(result, table)) else UNKNOWN

    def evidence(trials: Trials) -> Evidence:
        return Evidence(len(trials.accepted), FEWEST_SIZES)

    answer = abstract_call(run, lambda _: NUMBER_SIZES, evidence, CONFIRMATIONS, Budget())
    return answer.value if isinstance(answer, Known) else UNKNOWN


def shares_symbols(result: Any, arguments: Any) -> bool:
    """Whether a result has sizes that are unknown ints of a call."""
    numbers = [number for number in _ints_in(arguments) if number.size is not None]
    symbols = {name for number in numbers for name in symbols_of(number.size)}
    return bool(symbols) and not symbols.isdisjoint(symbols_in(result))


def _ints_in(value: Any) -> list[AbstractScalar]:
    return [leaf for leaf in unknown_in(value) if is_scalar(leaf, int)]
