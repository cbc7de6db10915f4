"""Calls of JAX with an unknown dtype as an argument. The shape of the result does not depend on that dtype."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from ....sampling.tables.dtypes import DTYPE_OBJECTS
from ...control import RaisedException
from ...values import arrays
from ...values.joins import join_ways
from ...values.unknowns import UNKNOWN, ConcretizationError, is_scalar
from .memo import module_root
from .methods import MethodCall

if TYPE_CHECKING:
    from ...interpreter import Interpreter

Call = tuple[list[Any], dict[str, Any]]

#: The parameter that a dtype is passed for. The shape does not depend on it, but for the methods in `OTHERS`.
NAME = "dtype"
OTHERS = frozenset({"view"})
#: The method whose first argument is one.
ASTYPE = "astype"
OF_TRACERS = getattr(jax.core.Tracer, ASTYPE, None)
#: What is tried for a dtype: without one, a function takes that of its arrays, or the default one.
TRIED = (*map(jnp.dtype, DTYPE_OBJECTS), None)
#: Fewer accepted dtypes tell nothing of others.
FEWEST = 2


def of_any_dtype(
    interpreter: Interpreter,
    f: Any,
    args: list[Any],
    kwargs: dict[str, Any],
    call: Callable[[list[Any], dict[str, Any]], Any],
) -> Any:
    """The array of unknown dtype that such a call gives; unknown if it is another one. `call` calls it with a dtype."""
    with_dtype = _with_dtype(f, args, kwargs) if module_root(f) == "jax" else None
    if with_dtype is None:
        return UNKNOWN
    results = [*_results(interpreter, call, map(with_dtype, TRIED))]
    known = [arrays.known_of(result) for result in results]
    if len(results) < FEWEST or any(each is None for each in known):
        return UNKNOWN
    interpreter.may_raise_epoch += 1
    joined = arrays.known_of(join_ways(results))
    return UNKNOWN if joined is None else arrays.array(None, None, joined.shape)


def _results(
    interpreter: Interpreter, call: Callable[[list[Any], dict[str, Any]], Any], calls: Iterable[Call]
) -> Iterator[Any]:
    """What the calls give that are accepted."""
    for args, kwargs in calls:
        try:
            with interpreter.within(speculative=True, trying=True):
                result = call(args, kwargs)
        except (RaisedException, ConcretizationError):
            continue
        if result is not UNKNOWN:
            yield result


def _with_dtype(f: Any, args: list[Any], kwargs: dict[str, Any]) -> Callable[[Any], Call] | None:
    """Makes the arguments of a call with another dtype; None if that which is passed is known, or if there is none."""
    if NAME in kwargs:
        return (lambda dtype: (args, {**kwargs, NAME: dtype})) if _may_be_dtype(kwargs[NAME]) else None
    position = _position(f)
    if position is None or position >= len(args) or not _may_be_dtype(args[position]):
        return None
    return lambda dtype: ([*args[:position], dtype, *args[position + 1 :]], kwargs)


def _may_be_dtype(value: Any) -> bool:
    """Whether a value that is passed for a dtype may be any: a text names one."""
    return value is UNKNOWN or is_scalar(value, str)


def _position(f: Any) -> int | None:
    """The number of a function's argument that is a dtype, if it has one."""
    name = f.name if isinstance(f, MethodCall) else getattr(f, "__name__", "")
    if name == ASTYPE or f is OF_TRACERS:
        return 1  # after the array
    try:
        parameters = [*inspect.signature(f).parameters]
    except (TypeError, ValueError):
        return None
    return parameters.index(NAME) if NAME in parameters and name not in OTHERS else None
