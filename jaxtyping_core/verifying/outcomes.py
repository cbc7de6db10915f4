"""What comes of a call, and whose exception it is that it raised."""

from __future__ import annotations

import enum
import traceback
from dataclasses import dataclass

from jaxtyping_core.contracts.verdicts import Violated

from .packages import is_of
from .sizes import Draw

#: Libraries that refuse shapes and dtypes as JAX does, and checkers of annotations at run time.
REFUSING = ("jax", "einops", "numpy")
CHECKERS = ("jaxtyping", "beartype", "typeguard")


class Kind(enum.Enum):
    """What comes of a call."""

    AGREES = "agrees"
    DIFFERS = "differs"
    #: JAX does not take these shapes or dtypes.
    REFUSED = "refused"
    #: The program itself raised.
    RAISED = "raised"
    #: It needs the numbers in its arrays, or sizes that are numbers.
    NEEDS_VALUES = "needs values"
    NOT_MADE = "not made"
    SLOW = "slow"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call. `message` says what was raised, at `line` of the program; `arguments` are as users read them."""

    kind: Kind
    violation: Violated | None = None
    message: str = ""
    line: int | None = None
    arguments: str = ""
    #: The names of the sizes in it, in order, and their sizes.
    names: tuple[str, ...] = ()
    sizes: Draw = ()
    #: Whether the program compared sizes that are symbols: for some numbers it may go another way.
    compared: bool = False


def raised(error: Exception, file: str, body: range) -> Outcome:
    """What an exception says of a call of a function in `file`, with its lines: the last one on the way in its `body`.

    Where the exception comes from another function of the file, the message names that line, too.
    """
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == file and frame.lineno]
    line = next((number for number in reversed(lines) if number in body), None)
    text = (str(error).strip().splitlines() or ["no message"])[0]
    if lines and lines[-1] != line:
        text += f" (line {lines[-1]})"
    if isinstance(error, _values_needed()):
        return Outcome(Kind.NEEDS_VALUES, message=f"{type(error).__name__}: {text}", line=line)
    if _is_refusal(error, frames):
        return Outcome(Kind.REFUSED, message=text, line=line)
    return Outcome(Kind.RAISED, message=f"{type(error).__name__}: {text}", line=line)


def _is_refusal(error: Exception, frames: list[traceback.FrameSummary]) -> bool:
    """Whether JAX raised it, and not the program; or a checker, of what the program itself passed on."""
    if type(error).__module__.partition(".")[0] in CHECKERS:
        return True
    of_jax = bool(frames) and is_of(frames[-1].filename, REFUSING)
    return of_jax and isinstance(error, TypeError | ValueError | IndexError)


def _values_needed() -> tuple[type[BaseException], ...]:
    from jax import errors

    return (
        errors.ConcretizationTypeError,
        errors.TracerArrayConversionError,
        errors.TracerBoolConversionError,
        errors.TracerIntegerConversionError,
        errors.NonConcreteBooleanIndexError,
        errors.UnexpectedTracerError,
        errors.InconclusiveDimensionOperation,
    )
