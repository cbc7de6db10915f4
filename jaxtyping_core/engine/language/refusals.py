"""Refusals of libraries: which errors of a call are reported, and as what."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from ...domain.values import PYTHON_NUMBERS
from ...identity import identity
from ...sampling.blame import OURS, does_not_fit, is_of_parameter, misfit, place
from ...sampling.errors import FLOAT_SIZE, TRACER_TYPE, Refused, is_of_library, kind_of, verdict
from ...sampling.symbols import UNKNOWN_DIM
from ..libraries.calls.certainties import fails_for_all_dims
from ..libraries.calls.memo import module_root
from ..libraries.trust import gate
from ..values import arrays
from ..values.unknowns import is_anything, is_unknown
from .operators import ALL, SYMBOLS, get_item

if TYPE_CHECKING:
    from ..interpreter import Interpreter
    from ..values.callables import Function
#: How JAX begins a message about a primitive.
OF_PRIMITIVE = re.compile(r"(\w+)(?= (?:requires|got) )")
#: Where code is that was written for a class of the program, as `dataclasses` does, or that is not known.
NO_PACKAGES = frozenset({"", "None", "__program__"})


def report(interpreter: Interpreter, f: Any, values: list[Any], error: Exception) -> None:
    """Report the error of a call if it is a refusal of what is known of `values`, arrays among them."""
    message = _message(f, values, error)
    if message is None or UNKNOWN_DIM in message:  # in what a function gave that the call has called
        return
    # What a transformation itself refuses, no other walk comes to.
    told = as_written(f, " ".join(message.split()))
    interpreter.refuse(kind_of(message), told, once=identity(f) in interpreter.made)


def as_written(f: Any, message: str) -> str:
    """A message of JAX's that begins with the name of a primitive, with what the program calls in place of that."""
    match = OF_PRIMITIVE.match(message)
    written = SYMBOLS.get(f) if is_operator(f) else getattr(f, "__name__", None)
    if match is None or written is None or not hasattr(jax.lax, match[1]):
        return message
    return written + message[match.end() :] if is_operator(f) or module_root(f) == "jax" else message


def _message(f: Any, values: list[Any], error: Exception) -> str | None:
    parts = leaves(values)
    if any(map(arrays.holds_unknown, values)) or not _is_blamed(f, parts, error):
        return None
    outcome = verdict(error, symbolic=False)
    if place(error).package == OURS:
        outcome = Refused(TRACER_TYPE.sub("Array", str(error)))
    if not isinstance(outcome, Refused) or not _is_about_arrays(f, parts, error, str(outcome)):
        return None
    return fails_for_all_dims(str(outcome), parts) if has_symbols(parts) else str(outcome)


def _is_about_arrays(f: Any, parts: list[Any], error: Exception, message: str) -> bool:
    """Whether a refusal is about arrays: those that are passed, or held by what is called. Other refusals are of sizes."""
    of_sizes = FLOAT_SIZE.match(message) is not None or is_of_library(error) or is_of_parameter(error)
    return of_sizes or any(map(arrays.is_array, [*parts, *leaves(f)]))


def report_misfit(interpreter: Interpreter, f: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Report a call with arrays that a function of JAX has no parameters for, if it is one."""
    # Of objects of a program `inspect` might call what that has put there.
    is_function = isinstance(
        f, (types.FunctionType, type(jnp.clip))
    )  # the second one is of compiled functions
    of_jax = is_function and module_root(f) == "jax" and identity(f) not in interpreter.made
    return of_jax and _told(interpreter, does_not_fit(f, args, kwargs), args, kwargs)


def report_own_misfit(
    interpreter: Interpreter, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> None:
    """Report a call with arrays that a function of the program has no parameters for, if it is one."""
    _told(interpreter, misfit(function.name, function.signature, args, kwargs), args, kwargs)


def _told(
    interpreter: Interpreter, message: str | None, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> bool:
    """Report a call that does not fit, if it is one of the program, with arrays."""
    values = [*args, *kwargs.values()]
    if message is None or any(map(is_anything, values)) or not any(map(arrays.is_array, leaves(values))):
        return False
    interpreter.refuse("call", message)
    return True


def _is_blamed(f: Any, parts: list[Any], error: Exception) -> bool:
    """Whether a library, or another one that it calls, has raised an error for what its function was given.

    Where Python has, in an operation of the library's code, that is so of values of Python, JAX and NumPy: of others it may be
    that they are not like those of the program.
    """
    where = place(error)
    if where.package == OURS:  # where operators are
        return type(error) is TypeError and is_operator(f) and all(map(_is_plain, parts))
    if where.package in NO_PACKAGES or (isinstance(error, KeyError) and not where.deliberate):
        return False
    if isinstance(error, FutureWarning):  # which JAX only announces: not of what another library does
        return is_operator(f) or module_root(f) == "jax"
    return where.deliberate or not isinstance(error, TypeError) or all(map(_is_plain, parts))


def _is_plain(value: Any) -> bool:
    return value is None or type(value) in (*PYTHON_NUMBERS, str) or arrays.is_array(value)


def is_operator(f: Any) -> bool:
    """Whether `f` is one of Python's operators, as a function."""
    return f is get_item or (isinstance(f, (types.BuiltinFunctionType, types.FunctionType)) and f in ALL)


def has_symbols(values: list[Any]) -> bool:
    """Whether an array among `values` has a symbolic size."""
    return any(
        not all(type(d) is int for d in leaf.shape) for leaf in leaves(values) if arrays.is_array(leaf)
    )


def leaves(value: Any) -> list[Any]:
    """The leaves of a value, unknown ones among them."""
    if not gate.is_small(value):
        return []
    try:
        return list(jax.tree.leaves(value, is_leaf=lambda leaf: leaf is None or is_unknown(leaf)))
    except Exception:  # code of objects may raise anything: then no more is known
        return []
