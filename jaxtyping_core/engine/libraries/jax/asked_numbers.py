"""Arrays that JAX asks for their numbers, such as the number of points of ``jnp.linspace(0, 1, n)``.

In the walk all arrays are traced, and JAX refuses. In the program an array may have a number: such a call is made with that, or
with any int where it is not known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ...values import arrays, numbers
from ...values.unknowns import UNKNOWN, AbstractScalar
from ..calls.memo import OF_ARRAYS, module_root

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: Parameters that get an array and an int in turn, at most.
MOST = 4
#: How JAX's words begin where a size has no number.
OF_SHAPES = "Shapes must be 1D sequences of concrete values"


def called(
    interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any], error: Exception
) -> Any:
    """What a call gives that JAX has refused for want of a number; unknown if no array of it has one."""
    if not _asks(error):
        return UNKNOWN
    if module_root(f) not in OF_ARRAYS or isinstance(error, jax.errors.TracerBoolConversionError):
        return UNKNOWN
    if any(callable(each) and not isinstance(each, type) for each in (*args, *kwargs.values())):
        return UNKNOWN  # a function of the program is not walked again
    places: list[Any] = [*range(len(args)), *kwargs]
    able = [place for place in places if _has_numbers(interpreter, _at(args, kwargs, place))][:MOST]
    for chosen in _choices(able):
        values = [_number(each) if place in chosen else each for place, each in enumerate(args)]
        named = {name: _number(each) if name in chosen else each for name, each in kwargs.items()}
        if not _is_refused(f, values, named):
            return interpreter.call(f, values, named)
    return UNKNOWN


def _asks(error: Exception) -> bool:
    """Whether JAX refuses a call because it is without a number."""
    is_of_shapes = isinstance(error, TypeError) and str(error).startswith(OF_SHAPES)
    return is_of_shapes or isinstance(
        error, jax.errors.TracerIntegerConversionError | jax.errors.ConcretizationTypeError
    )


def _choices(able: list[Any]) -> Iterator[list[Any]]:
    """Each parameter alone, and then all: what need not be an int stays an array, of a dtype that counts."""
    yield from ([place] for place in able)
    if len(able) > 1:
        yield able


def _at(args: list[Any], kwargs: dict[str, Any], place: Any) -> Any:
    return args[place] if type(place) is int else kwargs[place]


def _has_numbers(interpreter: Interpreter, value: Any) -> bool:
    """Whether an argument is an array of one int that has a number in the program, or a shape with such."""
    if type(value) in (tuple, list):
        return any(_has_numbers(interpreter, item) for item in value if arrays.is_array(item))
    return _is_int(value) and not interpreter.traces.has_no_number(value)


def _is_int(value: Any) -> bool:
    """Whether a value is an array of one int. A random key has a dtype that NumPy does not know."""
    return arrays.is_array(value) and value.ndim == 0 and jax.dtypes.issubdtype(value.dtype, np.integer)


def _number(value: Any) -> Any:
    """The numbers in place of such arrays."""
    if type(value) in (tuple, list):
        return type(value)(map(_number, value))
    if not _is_int(value):
        return value
    known = numbers.of(value)
    return AbstractScalar(int) if known is None else int(known)


def _is_refused(f: Any, args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether JAX still asks for a number."""

    def sample(value: Any) -> Any:
        if type(value) in (tuple, list):
            return type(value)(map(sample, value))
        return 1 if type(value) is AbstractScalar else value

    try:
        f(*map(sample, args), **{name: sample(each) for name, each in kwargs.items()})
    except Exception as error:  # another number is accepted, perhaps
        return _asks(error)
    return False
