"""One call of a function: with symbols for sizes, with numbers, or with real arrays."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from jaxtyping_core.contracts.binding import Excluded
from jaxtyping_core.contracts.checking import check
from jaxtyping_core.contracts.values import spelled
from jaxtyping_core.contracts.verdicts import UNKNOWN, Verdict, Violated
from jaxtyping_core.sampling.tables.limits import MOST_ELEMENTS, MOST_KEYS
from jaxtyping_core.sampling.tables.numbers import FLOATS_IN_ARRAYS, INTS_IN_ARRAYS, STANDING

from .choices import Choices
from .comparing import comparisons
from .generate_arguments import Maker, NotMakeable
from .limits import TimeLimit, time_limit
from .outcomes import Kind, Outcome, raised
from .sizes import Draw, Supply, drawn, symbolic
from .subjects import NothingGiven, Subject

#: Seconds that one call may take.
CALL_LIMIT = 3.0


def with_symbols(subject: Subject, choices: Choices) -> Outcome:
    """What comes of a call for all sizes."""
    supply = symbolic()
    with comparisons() as compared:
        outcome = _call(subject, choices, supply, real=False)
    return dataclasses.replace(outcome, compared=bool(compared))


def with_sizes(subject: Subject, choices: Choices, draw: Draw) -> Outcome:
    """What comes of a call for the sizes of a draw: abstractly, or with real arrays where that does not do."""
    supply = drawn(draw)
    outcome = _call(subject, choices, supply, real=False)
    if outcome.kind is Kind.NEEDS_VALUES:
        outcome = _call(subject, choices, supply, real=True)
    return outcome


def _call(subject: Subject, choices: Choices, supply: Supply, real: bool) -> Outcome:
    arguments = ""
    for _ in range(MOST_KEYS):
        try:
            needed, arguments = _planned(subject, choices, supply)
            verdict = _called(subject, choices, supply, needed, real)
        except KeyError as error:
            key = error.args[0] if error.args else None
            if isinstance(key, str | int) and key not in choices.keys:
                choices.keys = (*choices.keys, key)
                continue
            outcome = raised(error, subject.file, subject.body)
        except NotMakeable as error:
            outcome = Outcome(Kind.NOT_MADE, message=str(error))
        except (Excluded, NothingGiven) as error:
            outcome = Outcome(Kind.RAISED, message=str(error))
        except TimeLimit:
            outcome = Outcome(Kind.SLOW, message=f"a call took more than {CALL_LIMIT:g} seconds")
        except SystemExit as error:
            outcome = Outcome(Kind.RAISED, message=f"it exits the program (exit status {error.code!r})")
        except Exception as error:
            outcome = raised(error, subject.file, subject.body)
        else:
            outcome = Outcome(Kind.AGREES)
            if isinstance(verdict, Violated):
                outcome = Outcome(Kind.DIFFERS, verdict)
        names, sizes = tuple(supply.names), tuple(supply.sizes.values())
        return dataclasses.replace(outcome, arguments=arguments, names=names, sizes=sizes)
    return Outcome(Kind.RAISED, message="it reads more and more keys of a dict")


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


def _called(subject: Subject, choices: Choices, supply: Supply, needed: list[Any], real: bool) -> Verdict:
    """Whether the result of a call is as declared.

    Raises:
        Exception: whatever the call raises.
    """
    import jax

    verdicts: list[Verdict] = []

    def call(arrays: list[Any]) -> tuple[()]:
        rest = iter(arrays)
        maker = Maker(supply, choices, subject.signature, lambda *_: next(rest))
        positional, keywords = maker.arguments(subject.owner)
        returned = subject.call(*positional, **keywords)
        form = subject.signature.returned
        verdicts.append(UNKNOWN if form is None else check(form, returned, maker.environment))
        return ()

    with quiet(), time_limit(CALL_LIMIT):
        if real:
            call(real_arrays(needed))
        else:
            jax.eval_shape(call, needed)
    return verdicts[-1]


def _spelled_arguments(subject: Subject, planned: Any) -> str:
    positional, keywords = planned
    names = [p.name for p in subject.signature.parameters if not p.has_default and not p.keyword]
    if subject.owner is not None:
        positional = positional[1:]
    if len(names) < len(positional):
        names += [f"argument {place + 1}" for place in range(len(names), len(positional))]
    named = [*zip(names, positional, strict=False), *keywords.items()]
    return ", ".join(f"{name}: {spelled(value)}" for name, value in named)


def real_arrays(needed: list[Any]) -> list[Any]:
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
            return jnp.asarray(STANDING["float"]) * 1 if spec.dtype.kind == "f" else jnp.asarray(1)
        places = np.arange(size).reshape(spec.shape)
        if jnp.issubdtype(spec.dtype, jnp.inexact):
            return jnp.asarray(FLOATS_IN_ARRAYS(places), spec.dtype)
        return jnp.asarray(INTS_IN_ARRAYS(places), spec.dtype)

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
def whole_tracebacks() -> Iterator[None]:
    """Let exceptions tell where in JAX they come from; leaving JAX's frames out takes long, too."""
    import jax

    before = jax.config.jax_traceback_filtering
    jax.config.update("jax_traceback_filtering", "off")
    try:
        yield
    finally:
        jax.config.update("jax_traceback_filtering", before)
