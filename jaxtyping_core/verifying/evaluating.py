"""One call of a function: with symbols for sizes, with numbers, or with real arrays."""

from __future__ import annotations

import contextlib
import enum
import io
import sys
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .axes import Excluded
from .fitting import Difference, difference, spelled
from .limits import TimeLimit, time_limit
from .making import Choices, Maker, NotMakeable
from .sizes import Draw, Supply, drawn, symbolic
from .subjects import Subject

#: Seconds that one call may take.
CALL_LIMIT = 3.0
#: The most elements that an array may have which is really made.
MOST_ELEMENTS = 100_000
#: Keys of dicts that a program may ask for.
MOST_KEYS = 16


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
    difference: Difference | None = None
    message: str = ""
    line: int | None = None
    arguments: str = ""
    #: The names of the sizes in it, in order, and their sizes.
    names: tuple[str, ...] = ()
    sizes: Draw = ()
    #: Whether the program compared sizes that are symbols: for some numbers it may go another way.
    compared: bool = False


def with_symbols(subject: Subject, choices: Choices) -> Outcome:
    """What comes of a call for all sizes."""
    supply = symbolic()
    with _comparisons() as compared:
        outcome = _call(subject, choices, supply, real=False)
    return _with(outcome, compared=bool(compared))


def with_sizes(subject: Subject, choices: Choices, draw: Draw) -> Outcome:
    """What comes of a call for the sizes of a draw: abstractly, or with real arrays where that does not do."""
    supply = drawn(draw)
    outcome = _call(subject, choices, supply, real=False)
    if outcome.kind is Kind.NEEDS_VALUES:
        outcome = _call(subject, choices, supply, real=True)
    return outcome


def _with(outcome: Outcome, **changes: Any) -> Outcome:
    import dataclasses

    return dataclasses.replace(outcome, **changes)


def _call(subject: Subject, choices: Choices, supply: Supply, real: bool) -> Outcome:
    arguments = ""
    for _ in range(MOST_KEYS):
        try:
            needed, arguments = _planned(subject, choices, supply)
            found = _called(subject, choices, supply, needed, real)
        except KeyError as error:
            key = error.args[0] if error.args else None
            if not isinstance(key, str | int) or key in choices.keys:
                return _raised(subject, error, supply, arguments)
            choices.keys = (*choices.keys, key)
            continue
        except NotMakeable as error:
            return Outcome(Kind.NOT_MADE, message=str(error))
        except Excluded as error:
            return Outcome(Kind.RAISED, message=str(error))
        except TimeLimit:
            return Outcome(Kind.SLOW, message=f"a call takes more than {CALL_LIMIT:g} seconds")
        except RecursionError:
            return Outcome(Kind.RAISED, message="it calls itself without end")
        except Exception as error:
            return _raised(subject, error, supply, arguments)
        except SystemExit as error:
            return Outcome(Kind.RAISED, message=f"it exits with {error.code!r}")
        return Outcome(
            Kind.AGREES if found is None else Kind.DIFFERS,
            found,
            arguments=arguments,
            names=tuple(supply.names),
            sizes=tuple(supply.sizes.values()),
        )
    return Outcome(Kind.RAISED, message="it asks for ever other keys of a dict")


def _planned(subject: Subject, choices: Choices, supply: Supply) -> tuple[list[Any], str]:
    """The arrays that a call needs, and its arguments as users read them.

    Raises:
        NotMakeable: they cannot be made.
    """
    import jax

    needed: list[Any] = []

    def note(shape: Any, dtype: Any, weak: bool) -> Any:
        needed.append(jax.ShapeDtypeStruct(shape, dtype, weak_type=weak))
        return needed[-1]

    planned = Maker(supply, choices, subject.signature, note, objects=False).arguments(subject.owner)
    return needed, _spelled_arguments(subject, planned)


def _called(
    subject: Subject, choices: Choices, supply: Supply, needed: list[Any], real: bool
) -> Difference | None:
    """Where the result of a call is not as declared.

    Raises:
        Exception: whatever the call raises.
    """
    import jax

    found: list[Difference | None] = []

    def call(arrays: list[Any]) -> tuple[()]:
        rest = iter(arrays)
        maker = Maker(supply, choices, subject.signature, lambda *_: next(rest))
        positional, keywords = maker.arguments(subject.owner)
        returned = subject.call(*positional, **keywords)
        if subject.signature.returned is None:
            found.append(None)
        else:
            found.append(difference(subject.signature.returned, returned, maker.environment))
        return ()

    with quiet(), time_limit(CALL_LIMIT):
        if real:
            call(_real_arrays(needed))
        else:
            jax.eval_shape(call, needed)
    return found[-1]


def _spelled_arguments(subject: Subject, planned: Any) -> str:
    positional, keywords = planned
    names = [one.name for one in subject.signature.parameters if not one.has_default and not one.keyword]
    if subject.owner is not None:
        positional = positional[1:]
    if len(names) < len(positional):
        names += [f"argument {place + 1}" for place in range(len(names), len(positional))]
    named = [*zip(names, positional, strict=False), *keywords.items()]
    return ", ".join(f"{name}: {spelled(value)}" for name, value in named)


def _real_arrays(needed: list[Any]) -> list[Any]:
    """Arrays of small positive numbers, as most functions take them: labels, weights, lengths."""
    import jax
    import jax.numpy as jnp

    def made(spec: Any) -> Any:
        size = int(np.prod(spec.shape))
        if size > MOST_ELEMENTS:
            raise NotMakeable(f"an array of {size} elements is not made")
        if jax.dtypes.issubdtype(spec.dtype, jax.dtypes.prng_key):
            return jax.random.split(jax.random.key(0), size or 1)[:size].reshape(spec.shape)
        if spec.weak_type:
            return jnp.asarray(0.5) * 1 if spec.dtype.kind == "f" else jnp.asarray(1)
        numbers = np.arange(size).reshape(spec.shape)
        if jnp.issubdtype(spec.dtype, jnp.inexact):
            return jnp.asarray((numbers % 7 + 1) / 8, spec.dtype)
        return jnp.asarray(numbers % 2, spec.dtype)

    return [made(spec) for spec in needed]


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Let nothing through that a program prints in its hundreds of calls."""
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _comparisons() -> Iterator[list[bool]]:
    """Note whether the program asks of symbols what depends on the numbers that they stand for.

    JAX says that two symbols are not equal, and that one is true, which holds for some numbers only. JAX itself
    takes that into account.
    """
    from jax import export

    kind: Any = type(export.symbolic_shape("n")[0])
    equal = kind.__eq__
    seen: list[bool] = []

    def by_program(depth: int) -> bool:
        name = str(sys._getframe(depth).f_globals.get("__name__", "")).partition(".")[0]
        return name not in ("jax", "jaxtyping_core", "jaxlib", "numpy", "builtins")

    def __eq__(self: Any, other: Any) -> Any:
        answer = equal(self, other)
        if not answer and isinstance(other, int | kind) and by_program(2) and _may_be_equal(self, other):
            seen.append(True)
        return answer

    def __bool__(self: Any) -> bool:
        if by_program(2) and _may_be_equal(self, 0):
            seen.append(True)
        return True

    hashed = kind.__hash__
    try:
        kind.__eq__, kind.__bool__ = __eq__, __bool__
        kind.__hash__ = hashed
        yield seen
    finally:
        kind.__eq__ = equal
        del kind.__bool__


def _may_be_equal(a: Any, b: Any) -> bool:
    from jax.errors import InconclusiveDimensionOperation

    try:
        return not (bool(a > b) or bool(a < b))
    except InconclusiveDimensionOperation:
        return True


def _raised(subject: Subject, error: Exception, supply: Supply, arguments: str) -> Outcome:
    """What an exception says: JAX's own where it comes out of JAX."""
    line = _line(subject, error)
    message = f"{type(error).__name__}: {_first_line(error)}"
    common = {
        "message": message,
        "line": line,
        "names": tuple(supply.names),
        "sizes": tuple(supply.sizes.values()),
        "arguments": arguments,
    }
    if isinstance(error, _values_needed()):
        return Outcome(Kind.NEEDS_VALUES, **common)  # type: ignore[arg-type]
    refused = _is_of_checker(error) or (
        isinstance(error, TypeError | ValueError | IndexError) and _is_of_jax(error)
    )
    if not refused:
        return Outcome(Kind.RAISED, **common)  # type: ignore[arg-type]
    return Outcome(Kind.REFUSED, **common | {"message": _first_line(error)})  # type: ignore[arg-type]


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


def _first_line(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return text[0] if text else ""


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    return traceback.extract_tb(error.__traceback__)


def _line(subject: Subject, error: Exception) -> int | None:
    """The last line of the program on the way to an error."""
    lines = [frame.lineno for frame in _frames(error) if frame.filename == subject.file]
    return lines[-1] if lines else None


#: Libraries that refuse shapes and dtypes as JAX does.
_REFUSING = ("jax", "einops", "numpy")


def _is_of_jax(error: Exception) -> bool:
    frames = _frames(error)
    return bool(frames) and any(name in Path(frames[-1].filename).parts for name in _REFUSING)


def _is_of_checker(error: Exception) -> bool:
    """Whether a checker at run time refused what the program itself passed on."""
    return type(error).__module__.partition(".")[0] in ("jaxtyping", "beartype", "typeguard")
