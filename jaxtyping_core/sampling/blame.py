"""Whose error an exception is: where it was raised, and for what the called function was given.

A message says little about that. JAX, libraries on top of it and NumPy share Python's words, and an error in our own code has them too.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Iterable, Mapping, Sequence
from types import FrameType, TracebackType
from typing import Any, NamedTuple

from ..libraries import LIBRARIES

#: The package that this file is in, under whatever name it is loaded.
OURS = __name__.partition(".")[0]
RAISES = dis.opmap["RAISE_VARARGS"]
#: Modules of JAX that compute with symbols for sizes: what they raise says what a symbol cannot do.
OF_SYMBOLS = ("jax._src.export",)
#: Functions of JAX that raise errors of no class of `jax.errors` for a value that is traced, by what they look at.
OF_VALUES = {"canonicalize_shape": "shape", "validate_slices": "elts"}
#: What functions of libraries compare with the shape that they are asked for, by the package and the function.
OF_PARAMETERS = {
    (name, function): variable
    for name, library in LIBRARIES.items()
    for function, variable in library.parameters.items()
}
#: Functions of libraries that refuse a call because no transformation is around it.
OF_SURROUNDINGS = frozenset(
    (name, function) for name, library in LIBRARIES.items() for function in library.surroundings
)


class Place(NamedTuple):
    """Where an exception was raised.

    Attributes:
        package: the innermost package that is no part of Python and not NumPy.
        deliberate: whether a `raise` of that package did it; otherwise Python, in an operation of its code.
    """

    package: str
    deliberate: bool


def place(error: BaseException) -> Place:
    """Where an exception was raised."""
    traces = _traces(error)
    for number, trace in enumerate(reversed(traces)):
        package = _module(trace.tb_frame).partition(".")[0]
        if _is_of_python(package):
            continue
        code = trace.tb_frame.f_code.co_code
        return Place(package, number == 0 and code[trace.tb_lasti] == RAISES)
    return Place("", False)


def needs_values(error: BaseException) -> bool:
    """Whether JAX raised an exception because it knows a symbol, or a tracer, and not the value that it needs."""
    if type(error).__module__ == "jax.errors":
        return True
    traces = _traces(error)
    if not traces:
        return False
    frame = traces[-1].tb_frame
    if _module(frame).startswith(OF_SYMBOLS):
        return True
    looked_at = frame.f_locals.get(OF_VALUES.get(frame.f_code.co_name, ""))
    return _module(frame).startswith("jax.") and _holds_tracer(looked_at)


def is_of_parameter(error: BaseException) -> bool:
    """Whether a library has compared an array that it keeps."""
    traces = _traces(error)
    variable = OF_PARAMETERS.get(_function(traces[-1].tb_frame), "") if traces else ""
    return hasattr(traces[-1].tb_frame.f_locals.get(variable), "shape") if variable else False


def is_of_surroundings(error: BaseException) -> bool:
    """Whether a library refuses a call for where it is made, and not for what it is given."""
    traces = _traces(error)
    return bool(traces) and _function(traces[-1].tb_frame) in OF_SURROUNDINGS


def _function(frame: FrameType) -> tuple[str, str]:
    """The package and the function of a frame."""
    return _module(frame).partition(".")[0], frame.f_code.co_name


def does_not_fit(f: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str | None:
    """Python's words for a call that a function has no parameters for; None if it has, or that is not known."""
    try:
        signature = inspect.signature(f)
    except (TypeError, ValueError):
        return None
    return misfit(getattr(f, "__name__", "the function"), signature, args, kwargs)


def misfit(
    name: str, signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> str | None:
    """Python's words for a call that a signature refuses; None if it does not."""
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        words = str(error)
    else:
        return None
    parameters = signature.parameters.values()
    unknown = [each for each in kwargs if each not in signature.parameters]
    if unknown and not any(each.kind is each.VAR_KEYWORD for each in parameters):
        words = f"got an unexpected keyword argument {unknown[0]!r}"
    verb = "is " if words.startswith("missing") else "" if words.startswith("got") else "got "
    return f"{name}() {verb}{words}"


def _holds_tracer(value: Any) -> bool:
    import jax

    parts: Iterable[Any] = value if isinstance(value, (tuple, list)) else (value,)
    return any(isinstance(part, jax.core.Tracer) for part in parts)


def _traces(error: BaseException) -> list[TracebackType]:
    traces, trace = [], error.__traceback__
    while trace is not None:
        traces.append(trace)
        trace = trace.tb_next
    return traces


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def _is_of_python(package: str) -> bool:
    import sys

    return package in sys.stdlib_module_names or package in ("numpy", "jaxlib")
