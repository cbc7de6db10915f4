"""What an exception out of JAX says about a call: that JAX refuses it, or that nothing is known."""

from __future__ import annotations

import re

#: Errors of these types, raised for abstract arguments, say that the call is wrong.
REFUSALS = (TypeError, ValueError, IndexError, ZeroDivisionError, AssertionError, KeyError, FutureWarning)
#: The warning that is taken for a refusal, by its words.
ANNOUNCED = "scatter inputs have incompatible types"
#: ... unless the words say that only tracing is in the way: the call may be right on concrete values.
TRACING = re.compile(r"trace[rd]|concrete|abstract|symbolic|inconclusive|static", re.IGNORECASE)
#: Errors that say nothing about a call: the same call may be answered by a process that has more of something.
STARVED = (MemoryError, OSError, ImportError, SystemError)
#: ... as do JAX's and Python's own, by their words.
SHORTAGE = re.compile(r"RESOURCE_EXHAUSTED|[Oo]ut of memory|can't start new thread|bad_alloc")
#: How JAX's messages name an array whose values it does not know.
TRACER = re.compile(r"\w*Tracer\(~?(\w+\[[^\]]*\])\)")
#: How they say where a function is defined: a lambda of the program's is made here.
PLACE = re.compile(r" at \S+\.py:\d+")
UNLOWERED = re.compile(r"Cannot lower jaxpr with verifier errors:\s*(.*)")


class Refused(Exception):
    """JAX refuses the call."""


class Undecided(Exception):
    """Abstract evaluation cannot tell."""


def verdict(error: Exception, symbolic: bool) -> Exception:
    """What an exception out of JAX says about the call; `symbolic`, if it was made on stand-ins."""
    if isinstance(error, (Refused, Undecided)):
        return error
    if isinstance(error, STARVED) and not isinstance(error, ModuleNotFoundError):
        return error
    if SHORTAGE.search(str(error)):
        return MemoryError(str(error))
    message = TRACER.sub(r"\1", in_order(str(error).split("\nSee https://")[0].strip()))
    message = PLACE.sub("", message)
    if unlowered := UNLOWERED.match(message):
        return Refused(unlowered[1])
    own = type(error).__module__.partition(".")[0] in ("jax", "jaxlib", "builtins", "jaxtyping_core")
    tracing = type(error).__module__ == "jax.errors" or TRACING.search(message)
    if type(error) is OverflowError and "is out of bounds for" in message:  # the array layer's
        return Refused(message)
    # With symbols, it says what JAX cannot do with a symbol, not what it refuses.
    refusals = REFUSALS if symbolic else (*REFUSALS, NotImplementedError)
    if isinstance(error, refusals) and own and message and not tracing:
        return Refused(message)
    return Undecided(f"{type(error).__name__}: {message}")


def in_order(message: str) -> str:
    """`message` with the dtypes that it lists sorted: JAX keeps them in a set, in a different order each time."""

    def sort(dtypes: re.Match[str]) -> str:
        return "subtypes of " + ", ".join(sorted(dtypes[1].split(", ")))

    return re.sub(r"subtypes of (\w+(?:, \w+)*)", sort, message)
