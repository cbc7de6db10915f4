"""Error codes and messages: each message states the fact, the expectation and the remedy."""

from __future__ import annotations

from mypy.errorcodes import CALL_ARG, ErrorCode

from jaxtyping_core.pages import page

ARRAY_DTYPE = ErrorCode("array-dtype", "Check the dtypes of array operations", "Arrays")
ARRAY_SHAPE = ErrorCode("array-shape", "Check the shapes of array operations", "Arrays")
#: Those that only `jaxtyping-core check` reports. mypy knows them, so that its options may name them.
ARRAY_TRACING = ErrorCode("array-tracing", "Check what needs the value of a traced array", "Arrays")
ARRAY_LEAK = ErrorCode("array-leak", "Check that no traced array outlives its function", "Arrays")
DONATED = ErrorCode("donated", "Check that no donated array is used again", "Arrays")
ARRAY_REMOVED = ErrorCode(
    "array-removed", "Check for names and parameters that a library does not have", "Arrays"
)
BY_KIND = {
    "dtype": ARRAY_DTYPE,
    "shape": ARRAY_SHAPE,
    "tracing": ARRAY_TRACING,
    "leak": ARRAY_LEAK,
    "donated": DONATED,
    "removed": ARRAY_REMOVED,
    "call": CALL_ARG,
}

BROADCAST = (
    "{left} {symbol} {right} does not broadcast: axis {axis} is {a} on the left and {b} on the right; "
    "sizes must be equal, or one of them 1"
)
OPERATOR = "JAX refuses {left} {symbol} {right}: {reason}"
REFUSED = "JAX refuses {call}: {reason}"
FAULT = (
    "jaxtyping_core could not ask JAX about this call ({reason}); its type is less precise. "
    "Later occurrences are not shown"
)
PLUGIN_FAULT = (
    "jaxtyping_core could not type this expression ({what}); it keeps its stub's type. "
    "Please report this; later occurrences are not shown"
)
CONFLICT = (
    'Argument {argument} of "{function}" is {array}; expected {annotation}: '
    '{kind} "{variable}" is {first} in {first_argument} already, and {second} in {argument}'
)
BODY = '"{function}" returns {actual}{arguments}; expected {annotation}{sizes}'
REFUSED_BODY = 'JAX refuses what "{function}" does{arguments}: {reason}'
DIM_STRING = 'jaxtyping refuses the axes "{text}": {reason}'
DTYPE_AS_TYPE = (
    "{dtype} is a dtype, and no value is of that type. Write {alias} of jaxtyping_core.typing for arrays of it, "
    "or jax.Array"
)
#: Where mypy would link to the page of an error code.
LINK = f"See {page('reference/codes/{code}')} for more info"
REDEFINITION = (
    "The dtype or shape of an array variable changes here, and mypy's allow_redefinition is off for this module: "
    "jaxtyping_core switches it on elsewhere, so that this is no error. Later occurrences in this module are not shown"
)


def sentence(text: str) -> str:
    """JAX's own words on one line, without a trailing full stop."""
    return " ".join(text.split()).rstrip(".")
