"""Lists of unknown length, such as those that grow in a loop, as arguments of libraries: of functions of arrays, and in trees."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ....sampling.calls import Budget, Refused, Trials, abstract_call
from ....sampling.proof import Evidence, Known
from ....sampling.tables.limits import FEWEST_SIZES
from ....sampling.tables.ranks import LIST_LENGTHS
from ...control import RaisedException
from ...values.trees import branches_in, with_lengths
from ...values.unknowns import UNKNOWN, ConcretizationError
from .. import registry
from .abstract_calls import RESULTS
from .choices import anything_in
from .methods import holder_of

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: Packages whose functions take lists for arrays, or trees; overlays say it of others.
PACKAGES = ("jax", "numpy")


def has_any_length(f: Any, args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether a function of arrays or trees is given lists of unknown length of which the items are known."""
    package = str(getattr(f, "__module__", None) or type(holder_of(f)).__module__).partition(".")[0]
    if package not in PACKAGES and not registry.takes_lists(package):
        return False
    branches = branches_in([args, kwargs, _held(f)])
    return bool(branches) and not any(anything_in(branch.item) for branch in branches)


def of_any_length(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What such a call gives whatever the lengths are."""
    arguments = [args, kwargs, _held(f)]
    lengths = LIST_LENGTHS if all(branch.some for branch in branches_in(arguments)) else (*LIST_LENGTHS, 0)

    def run(length: int) -> Any:
        new_args, new_kwargs, held = with_lengths(arguments, length)
        try:
            return interpreter.call(
                f if held is None else types.MethodType(f.__func__, held), new_args, new_kwargs
            )
        except (RaisedException, ConcretizationError):
            raise Refused from None

    def evidence(trials: Trials) -> Evidence:
        return Evidence(len(trials.accepted), fewest=FEWEST_SIZES)

    with interpreter.within(speculative=True, trying=True):
        answer = abstract_call(run, lambda _: lengths, evidence, RESULTS, Budget())
    return answer.value if isinstance(answer, Known) else UNKNOWN


def _held(f: Any) -> Any:
    """The object of a library that a method is one of; None for functions."""
    return f.__self__ if isinstance(f, types.MethodType) and not isinstance(f.__self__, type) else None
