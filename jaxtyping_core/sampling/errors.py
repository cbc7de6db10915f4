"""What an exception out of JAX says about a call: that JAX refuses it, or that nothing is known."""

from __future__ import annotations

import re
import traceback

from ..libraries import LIBRARIES
from . import blame
from .symbols import UNKNOWN

#: Errors of these types, raised for abstract arguments, say that the call is wrong.
REFUSALS = (TypeError, ValueError, IndexError, ZeroDivisionError, AssertionError, KeyError, FutureWarning)
#: The warning that is taken for a refusal, by its words.
ANNOUNCED = "scatter inputs have incompatible types"
#: Classes of libraries whose errors are refusals as well, by their names.
OF_LIBRARIES = frozenset(name for library in LIBRARIES.values() for name in library.errors)
#: How Python names the type of an array whose values JAX does not know.
TRACER_TYPE = re.compile(r"\b\w*Tracer\b")
#: Words of JAX's about a value that it needs and does not have: errors of no class of `jax.errors`, in whatever function.
#: The last are a library's, of a module that was made in another trace: here each call is a trace, where the program has none.
NEEDED = re.compile(r"must (?:be|have) static|__hash__ and __eq__|\bconcrete\b|\bdifferent trace level\b")
#: Errors that say nothing about a call: the same call may be answered by a process that has more of something.
STARVED = (MemoryError, OSError, ImportError, SystemError)
#: ... as do JAX's and Python's own, by their words.
SHORTAGE = re.compile(r"RESOURCE_EXHAUSTED|[Oo]ut of memory|can't start new thread|bad_alloc")
#: How JAX's messages name an array whose values it does not know.
TRACER = re.compile(
    r"(?:\w*Tracer\((?:primal=)?|Traced<)~?(\w+\[[^\]]*\])(?:, typeof\(tangent\)=\w+\[[^\]]*\]|:\w+)?[)>]"
)
#: An array's type in JAX's words.
TYPE = re.compile(r"\b((?:b?float|u?int|complex|bool|key<)[\w>]*)\[([^\]]*)\]")
#: Words that speak of dtypes, and of more.
OF_DTYPES = re.compile(r"\bdtypes?\b|(?<!Python )\btypes?\b(?! <class)")
#: Where JAX lists the dtypes of a set.
SET_OF_DTYPES = re.compile(r"(subtypes of |[Ii]nput dtypes \()([\w']+(?:, [\w']+)*)")
OF_SHAPES = re.compile(r"[Ss]hape|broadcast")
#: How JAX's messages say where a function is defined, a lambda of the program's here, or kept, which is elsewhere in each run.
PLACE = re.compile(r" at (?:\S+\.py:\d+|0x[0-9a-f]+)")
#: A refusal of a size that is a float, whether JAX has its value or traces it.
FLOAT_SIZE = re.compile(
    r"Shapes must be 1D sequences of concrete values of integer type, got "
    r"\([^)]*(?:float|complex|\d\.|\de[+-]|\b(?:inf|nan)\b)[^\n]*"
)
#: The symbols in JAX's words that stand for what is unknown.
FRESH = re.compile(rf"{UNKNOWN}\w+")
#: What JAX says of ranks, and of sizes that are no integers: no other size makes these right. Each is JAX's own phrase
#: and long enough to be of nothing else; sizes are written as ``#``.
RANKS = (
    r"^Shapes must be 1D sequences of concrete values of integer type",
    r"^Too many indices: ",
    r"^axis -?\d+ is out of bounds for array of (?:dimension|shape)",
    r"must have (?:the )?same (?:rank|ndim|number of dimensions)\b(?!, last)",
    r"arrays with different numbers of dimensions",
    r"must match number of operand dimensions",
    r"must have length equal to (?:the number of dimensions of|operand ndim|the rank of)",
    r"must equal the number of axes of operand",
    r"wrong number of window_dimensions",
    r"less than the number of axes of the (?:lhs|rhs) value",
    r"permutation isn't a permutation of operand dimensions",
    r"contains out-of-bounds indices for",
    r"ndim at least (?:\d|two)",
    r"ndim to be equal",
    r"have rank at least \d",
    r"its rank should be at least \d+, but is only \d+",
    r"must have shape \[#, #, #\], got \(#?,?\)",
    r"does not contain the correct number of indices for operand",
    r"^Number of tensordot axes .* exceeds input ranks",
    r"to shape with fewer dimensions",
    r"must be at least (?:two[- ]dimensional|2D)",
    r"at least (?:two|2) dimensions\b",
    r"must be (?:a )?(?:1D|1-dimensional|one-dimensional)(?: array)?(?:[,;.]|$)",
    r"must be 1d or 2d$",
    r"^a should be 1-dimensional$",
    r"\bonly (?:supports? )?[12]-dimensional input",
    r"has more than 2 dimensions$",
    r"must be two-dimensional$",
)
#: The innermost brackets of a message, as those of a shape, and what is between the commas in them.
SHAPE, SHAPE_ITEM = re.compile(r"[(\[][^()\[\]]*[)\]]"), re.compile(r"[^\s,()\[\]][^,()\[\]]*")
#: Where a message tells of a page about it.
PAGE = re.compile(r"(?:\nSee |\s*\()https?://\S+.*", re.DOTALL)
UNLOWERED = re.compile(r"Cannot lower jaxpr with verifier errors:\s*(.*)")


class Refused(Exception):
    """JAX refuses the call."""


class Inconclusive(Exception):
    """Abstract evaluation cannot tell."""


def verdict(error: Exception, symbolic: bool) -> Exception:
    """What an exception out of JAX says about the call; `symbolic`, if it was made on stand-ins."""
    if isinstance(error, (Refused, Inconclusive)):
        return error
    if isinstance(error, STARVED) and not isinstance(error, ModuleNotFoundError):
        return error
    if SHORTAGE.search(str(error)):
        return MemoryError(str(error))
    if blame.is_of_surroundings(error):
        return Inconclusive(str(error))
    message = TRACER.sub(r"\1", in_order(PAGE.sub("", str(error)).strip()))
    message = no_such_axis(error) or message
    message = PLACE.sub("", message)
    if unlowered := UNLOWERED.match(message):
        return Refused(unlowered[1])
    if float_size := FLOAT_SIZE.match(message):
        return Refused(float_size[0])
    if is_of_library(error):
        return Refused(" ".join(message.split()))
    own = type(error).__module__.partition(".")[0] in ("jax", "jaxlib", "builtins", "jaxtyping_core")
    # Where only tracing is in the way, the call may be right on concrete values.
    needed = blame.needs_values(error) or NEEDED.search(message)
    tracing = needed or (TRACER_TYPE.search(message) and not blame.place(error).deliberate)
    if type(error) is OverflowError and "is out of bounds for" in message:  # the array layer's
        return Refused(message)
    # With symbols, it says what JAX cannot do with a symbol, not what it refuses.
    refusals = REFUSALS if symbolic else (*REFUSALS, NotImplementedError)
    if isinstance(error, refusals) and own and message and not tracing:
        return Refused(message)
    return Inconclusive(f"{type(error).__name__}: {message}")


def is_of_library(error: Exception) -> bool:
    """Whether an error is of a class by which a library tells that arrays do not fit."""
    return type(error).__name__ in OF_LIBRARIES


def no_such_axis(error: Exception) -> str | None:
    """JAX's words for an axis that an array does not have, where a function of its own indexes with it and Python refuses that."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    if type(error) is not IndexError or not str(frames[-1].f_globals.get("__name__")).startswith("jax."):
        return None
    axis, rank = frames[-1].f_locals.get("axis"), getattr(frames[-1].f_locals.get("operand"), "ndim", None)
    if type(axis) is not int or type(rank) is not int or -rank <= axis < rank:
        return None
    return f"axis {axis} is out of bounds for array of dimension {rank}"


def kind_of(message: str) -> str:
    """ "dtype" if a refusal is about dtypes alone; else "shape". JAX calls a dtype and a shape together a type."""
    types = TYPE.findall(message)
    if len(set(types)) > 1:
        return "shape" if len({shape for _, shape in types}) > 1 else "dtype"
    return "dtype" if OF_DTYPES.search(message) and not OF_SHAPES.search(message) else "shape"


def in_order(message: str) -> str:
    """`message` with the dtypes that it lists sorted: JAX keeps them in a set, in a different order each time."""

    def sort(dtypes: re.Match[str]) -> str:
        return dtypes[1] + ", ".join(sorted(dtypes[2].split(", ")))

    return SET_OF_DTYPES.sub(sort, message)


def words_about_ranks(message: str) -> str | None:
    """A refusal with ``#`` for the sizes in it, if it is about ranks."""
    words = SHAPE.sub(lambda shape: SHAPE_ITEM.sub("#", shape[0]), message.replace("[]", ""))
    return words if any(re.search(phrase, words) for phrase in RANKS) else None


def readable(message: str) -> str:
    """A refusal with ``?`` for the symbols that stand for what is unknown."""
    return FRESH.sub("?", message)
