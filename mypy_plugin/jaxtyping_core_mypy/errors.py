"""Error codes and messages: each message states the fact, the expectation and the remedy."""

from __future__ import annotations

from mypy.errorcodes import CALL_ARG, ErrorCode

from jaxtyping_core.pages import page
from jaxtyping_core.rules import RULES

ARRAY_DTYPE = ErrorCode("array-dtype", "Check the dtypes of array operations", "Arrays")
ARRAY_SHAPE = ErrorCode("array-shape", "Check the shapes of array operations", "Arrays")
#: Those that only the evaluation of a program finds.
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
    **{rule.kind: ErrorCode(rule.code, rule.purpose, "Arrays") for rule in RULES},
    "call": CALL_ARG,
}

BROADCAST = (
    "{left} {symbol} {right} does not broadcast: axis {axis} is {a} on the left and {b} on the right; "
    "sizes must be equal, or one of them 1"
)
OPERATOR = "JAX refuses {left} {symbol} {right}: {reason}"
REFUSED = "JAX refuses {call}: {reason}"
FAULT = (
    "jaxtyping_core could not evaluate this call with JAX ({reason}), so its type is less precise. "
    "Later occurrences are not shown"
)
PLUGIN_FAULT = (
    "jaxtyping_core failed on this expression ({what}), so it has the type from the stubs. "
    "Please report this. Later occurrences are not shown"
)
REFUSED_BODY = 'JAX refuses the body of "{function}"{arguments}: {reason}'
DIM_STRING = 'jaxtyping refuses the axes "{text}": {reason}'
DTYPE_AS_TYPE = (
    "{dtype} is a dtype, not the type of an array. For arrays of this dtype, write {alias} from "
    "jaxtyping_core.typing, or jax.Array"
)
#: What mypy says in its own links to the page of an error code.
LINK = "See {page} for more info"
REDEFINITION = (
    "An array variable gets another dtype or shape here, which mypy allows only with allow_redefinition. "
    "Your configuration turns that off for this module. Later occurrences in this module are not shown"
)


def is_link(message: str) -> bool:
    """Whether a note is a link to the page of an error code of ours."""
    before, after = LINK.split("{page}")
    return message.startswith(f"{before}{page('reference/codes')}") and message.endswith(after)


def sentence(text: str) -> str:
    """JAX's own words on one line, without a trailing full stop."""
    return " ".join(text.split()).rstrip(".")
