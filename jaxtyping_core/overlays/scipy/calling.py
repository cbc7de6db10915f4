"""What walks functions of the program as SciPy calls them, and what all that call such have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.libraries.numpy.choices import evaluated
from ...engine.values.callables import Function, Namespace
from ...engine.values.unknowns import UNKNOWN, AbstractScalar, NumpyArray, is_anything
from ...identity import identity
from .._describing import shape_of
from .._items import settled

if TYPE_CHECKING:
    from ...engine.libraries.natives import Natives

FLOAT = np.dtype("float64")
COUNTS = ("nit", "nfev", "njev", "nhev", "status")


class Caller:
    """What walks the program's functions as SciPy calls them."""

    def __init__(self, natives: Natives) -> None:
        self.natives = natives

    def __call__(self, function: Any, *args: Any) -> Any:
        """What a function gives that SciPy calls any number of times; None stands for no function."""
        if function is None or isinstance(function, bool | str | int | float):
            return UNKNOWN
        return settled(self.natives, lambda: self.natives.interpreter.call(function, [*args], {}))

    def parameters(self, function: Any) -> Sequence[str] | None:
        """The names of the parameters of a function of the program; None where there may be more."""
        known = self.natives.interpreter.functions.get(identity(function))
        if not isinstance(known, Function):
            return None
        parameters = known.signature.parameters.values()
        plain = all(each.kind is each.POSITIONAL_OR_KEYWORD for each in parameters)
        return [each.name for each in parameters] if plain else None


def vector(start: Any) -> NumpyArray | None:
    """A point to start from, as SciPy makes an array of it; None if it has more axes than one, or unknown ones."""
    if is_anything(start):
        return None
    made = evaluated(np.atleast_1d, [start], {})
    if not isinstance(made, NumpyArray) or made.dims is None or len(made.dims) != 1:
        return None
    return made


def float_of(point: NumpyArray, dtype: Any = FLOAT) -> NumpyArray:
    return NumpyArray(dtype, point.dims)


def dtype_of_point(point: NumpyArray) -> Any:
    """The dtype of a point to start from: of whole numbers SciPy makes float64."""
    dtype = point.np_dtype
    return dtype if dtype is None or dtype.kind not in "biu" else FLOAT


def passed_on(args: Any) -> list[Any] | None:
    """Arguments that SciPy passes on; None where it is not known how many there are."""
    if type(args) in (tuple, list):
        return list(args) if type(args) is tuple else [args]
    return None if is_anything(args) else [args]


def result_of(**names: Any) -> Namespace:
    counts = {name: AbstractScalar(int) for name in COUNTS}
    whole = {"message": AbstractScalar(str), "success": AbstractScalar(bool), **counts, **names}
    return Namespace(**whole)


def with_items(natives: Natives, result: Namespace) -> Namespace:
    """A result whose attributes are its items, too."""
    items = dict(result.names)
    result.names["__getitem__"] = natives.function(
        lambda key=UNKNOWN: items.get(key, UNKNOWN) if type(key) is str else UNKNOWN
    )
    return result


def of_number(natives: Natives, number: Callable[[], Any], gives: Callable[[], Any]) -> Callable[..., Any]:
    """A function such as ``brentq``, which calls another one with a number."""
    call = Caller(natives)

    def function(f: Any = UNKNOWN, *bounds: Any, args: Any = (), **options: Any) -> Any:
        rest = passed_on(args if len(bounds) < 3 else bounds[2])
        is_open = (
            rest is None
            or len(bounds) > 3
            or not {"full_output", "complex_func", "weight"}.isdisjoint(options)
        )
        if is_open or any(is_anything(each) or shape_of(each) not in (None, ()) for each in bounds[:2]):
            natives.interpreter.havoc([f, *bounds, args, *options.values()])
            return UNKNOWN
        call(f, number(), *(rest or []))
        return gives()

    return function
