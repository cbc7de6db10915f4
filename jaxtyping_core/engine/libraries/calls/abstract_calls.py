"""Calls of libraries with arguments that are not wholly known: several choices are tried, and what agrees is kept."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ....domain.dtypes import classes
from ....identity import identity
from ....sampling.calls import Budget, Refused, Trials, Values, abstract_call
from ....sampling.proof import Column, Evidence, Known, Rejected, rejected
from ....sampling.tables.limits import (
    ALIKE,
    ENOUGH_DTYPES,
    FEWEST_OF_ANYTHING,
    MOST_SAMPLES,
    MOST_STEPS,
    MOST_STEPS_IN_VAIN,
)
from ...control import RaisedException
from ...values import arrays
from ...values.conversions import as_array
from ...values.joins import join, join_ways
from ...values.unknowns import UNKNOWN, ConcretizationError, Partial, is_scalar
from .. import registry
from ..jax.reshaped import is_of_numbers, is_reshape, reshaped
from .choices import Axes, Concretization, anything_in, changed, choices, unknown_in
from .dtype_arguments import of_any_dtype
from .memo import OF_ARRAYS, key_of, module_root, remember, remembered
from .methods import holder_of
from .number_choices import with_numbers, with_steps
from .number_sizes import shares_symbols, with_number_symbols
from .seen_choices import SeenChoices
from .shapes import with_ints
from .size_trials import really, sized, unbound, without_addresses
from .sizes import all_symbols_in, generalized

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: Functions that only look at how values are put together: unknown ones, but of a known kind, are no matter.
OF_TREES = frozenset(
    {"dataclasses", "collections", "__program__", "typing", "functools", "itertools", "copy", "builtins"}
)

#: How results of libraries are put together.
RESULTS = Values(join, generalized, lambda value: value is UNKNOWN)
#: The same where samples of a class of dtypes were tried: what they give is of a class, too.
RESULTS_OF_CLASS = RESULTS._replace(join=lambda first, second: join_ways([first, second]))


def call_abstractly(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a call with unknown parts gives."""
    f, args = unbound(f, args)
    told = reshaped(args, kwargs) if is_reshape(f, args) else UNKNOWN
    if told is not UNKNOWN and (anything_in([*args[1:], *kwargs.values()]) or is_of_numbers(args)):
        interpreter.may_raise_epoch += 1
        return told
    result = of_any_dtype(interpreter, f, args, kwargs, functools.partial(_with_dtype, interpreter, f))
    if result is UNKNOWN:
        result = _tried(interpreter, f, args, kwargs)
    return told if result is UNKNOWN else result


def _with_dtype(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """The same call with a dtype that is known."""
    way = call_abstractly if arrays.holds_unknown([args, kwargs]) else sized
    return way(interpreter, f, args, kwargs)


def _tried(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What is certain of a call that has unknown parts, by trying it."""
    root = module_root(f)
    if root in OF_ARRAYS:
        args, kwargs = with_ints(f, args, kwargs)
    if root in OF_TREES and not anything_in([args, kwargs]):
        return interpreter.real(f, args, kwargs)
    of_arrays = root in OF_ARRAYS and not _of_trees(f)
    if not of_arrays and anything_in([args, kwargs, holder_of(f)]):
        holder = holder_of(f)
        if registry.has_layers(type(holder).__module__.partition(".")[0]):
            interpreter.escape([f, holder])  # a model may call its parts, which are of the program
        interpreter.havoc([*args, *kwargs.values(), kwargs])
        return UNKNOWN
    arguments = [args, kwargs]
    symbols = all_symbols_in(arguments)
    key = ("partially", f, key_of(arguments, symbols))
    known = remembered(interpreter, key, symbols)
    if known is not None:
        interpreter.may_raise_epoch += 1
        if known[0] is UNKNOWN:
            interpreter.escape([f, holder_of(f), *args, kwargs])  # by their names
        return known[0]
    if interpreter.unseen.is_spent:
        interpreter.may_raise_epoch += 1
        interpreter.escape([f, holder_of(f), *args, *kwargs.values()])
        return UNKNOWN
    with interpreter.unseen.counted(), interpreter.within(speculative=True, trying=True):
        if _has_classes(arguments):
            result = changed(_drawn(interpreter, f, arguments, RESULTS_OF_CLASS), _of_class)
        else:
            result = changed(_drawn(interpreter, f, arguments, RESULTS), _of_any_dtype)
    interpreter.may_raise_epoch += 1
    if result is UNKNOWN:
        choice = _refused_for_all(interpreter, f, arguments)
        if choice is not None:
            return interpreter.call(f, *choice)  # which says why
        interpreter.escape([f, holder_of(f), *args, kwargs])  # by their names
    if not shares_symbols(result, arguments):
        remember(interpreter, key, result, symbols)
    return result


def _has_classes(arguments: Any) -> bool:
    """Whether all that is not known of a call is which dtype of some its arrays have."""
    return all(isinstance(leaf, Partial) and leaf.known.dtypes is not None for leaf in unknown_in(arguments))


def _of_class(leaf: Any) -> Any:
    """A result of which the choices give several dtypes: those that were not tried give others of their class."""
    if not isinstance(leaf, Partial) or leaf.dtype_name is not None or leaf.known.dtypes is None:
        return leaf
    dtypes = leaf.known.dtypes
    of_class = next((members for members in classes() if dtypes <= members), None)
    return arrays.of_known(replace(leaf.known, dtypes=of_class))


def _of_any_dtype(leaf: Any) -> Any:
    """A result of which the choices give several dtypes: those that were not tried might give others."""
    if not isinstance(leaf, Partial) or leaf.dtype_name is not None:
        return leaf
    return arrays.array(None, leaf.weak, leaf.dims)


def _refused_for_all(interpreter: Interpreter, f: Any, arguments: Any) -> Any:
    """One choice for arrays whose sizes are known, if JAX refuses all of them in the same words; None if it does not."""
    unknown = unknown_in(arguments)
    of_known_sizes = [leaf for leaf in unknown if isinstance(leaf, Partial) and leaf.dims is not None]
    of_any_dtype = {identity(leaf) for leaf in of_known_sizes if leaf.dtype_name is None}
    # In each choice all of these get the same dtype.
    if not unknown or len(of_known_sizes) < len(unknown) or len(of_any_dtype) > 1:
        return None
    tried = list(choices(arguments, 0))
    refusal = rejected(_words_of_refusal(interpreter, f, choice) for choice in tried)
    return tried[0].value if isinstance(refusal, Rejected) else None


def _words_of_refusal(interpreter: Interpreter, f: Any, choice: Concretization) -> str | None:
    """In what words a sample is refused; None if it is accepted."""
    try:
        with interpreter.within(speculative=True, trying=True):
            sized(interpreter, f, *choice.value)
    except (RaisedException, ConcretizationError) as refused:
        return without_addresses(refused.value if isinstance(refused, RaisedException) else refused)
    return None


def _of_trees(f: Any) -> bool:
    """Whether a function of JAX takes trees: an unknown one is no array."""
    return str(getattr(f, "__module__", "")).startswith(
        (
            "jax.example_libraries",
            "jax.experimental",
            "jax.flatten_util",
            "jax.tree",
            "jax._src.tree",
            "jax._src.flatten",
        )
    )


def _drawn(interpreter: Interpreter, f: Any, arguments: Any, results: Values) -> Any:
    with_arrays = changed(arguments, as_array)
    if not arrays.holds_unknown(with_arrays):
        try:
            return sized(interpreter, f, *with_arrays)
        except (RaisedException, ConcretizationError):
            result = with_number_symbols(interpreter, f, arguments, really)
            if result is not UNKNOWN:
                return result
            result = _agreed(
                interpreter, f, results, _then_others(map(Concretization, with_numbers(arguments)))
            )
        if result is not UNKNOWN:
            return result
        made = _agreed(interpreter, f, results, _then_others(map(Concretization, with_steps(arguments))))
        return made if isinstance(made, types.FunctionType) else UNKNOWN
    holes = anything_in(arguments)
    if holes > 2:
        return UNKNOWN
    each_known = [arrays.known_of(leaf) for leaf in unknown_in(with_arrays)]
    of_dtypes = all(known is not None and known.shape is not None for known in each_known)

    def samples(trials: Trials) -> Iterator[Any]:
        return _then_others(choices(with_arrays, holes, trials.words))(trials)

    result = _agreed(interpreter, f, results, samples, FEWEST_OF_ANYTHING if holes else 1, of_dtypes)
    return (
        _with_static_numbers(interpreter, f, arguments, results)
        if result is UNKNOWN and not holes
        else result
    )


def _with_static_numbers(interpreter: Interpreter, f: Any, arguments: Any, results: Values) -> Any:
    """A call that needs the values of unknown numbers: each sample of the arrays is tried with samples of these."""
    unknown = unknown_in(arguments)
    # A sample draws arrays. Without one it would be the call itself, again and again.
    if not (any(map(is_scalar, unknown)) and any(isinstance(leaf, Partial) for leaf in unknown)):
        return UNKNOWN

    def of_numbers(choice: Concretization) -> Any:
        return _drawn(interpreter, f, choice.value, results)

    return _agreed(
        interpreter, f, results, lambda trials: choices(arguments, 0, trials.words), of_choice=of_numbers
    )


def _then_others(samples: Iterable[Any]) -> Callable[[Trials], Iterator[Any]]:
    """Samples, and where few of them are accepted, others of dtypes that were not tried with what is.

    Then one of those that are accepted with other dtypes or ranks of some arrays, as far as the results tell something of these.
    """

    def each(trials: Trials) -> Iterator[Any]:
        yield from samples
        if 0 < len(trials.accepted) < ENOUGH_DTYPES:
            yield from trials.accepted[-1].others()
        first = trials.accepted[:1]
        for number, unlike in enumerate(unlike for accepted in first for unlike in accepted.unlike):
            known = arrays.known_of(trials.common)
            if known is None or (known.dtype, known.shape)[number] is not None:
                yield from unlike()

    return each


def _agreed(
    interpreter: Interpreter,
    f: Any,
    results: Values,
    samples: Callable[[Trials], Iterator[Any]],
    fewest: int = 1,
    of_dtypes: bool = False,
    of_choice: Callable[[Concretization], Any] | None = None,
) -> Any:
    """What all samples that are accepted have in common; too few of them tell nothing.

    With `of_dtypes`, the samples differ in dtypes alone: when the dtype of what is given differs, little is left to learn.
    `of_choice` gives what a sample gives of which a part is still unknown.
    """
    steps, seen = interpreter.budget.steps, SeenChoices()

    def untried(trials: Trials) -> Iterator[Any]:
        for choice in samples(trials):
            if not isinstance(choice, Concretization) or not seen.tells_nothing(choice, trials):
                yield choice

    def run(choice: Concretization) -> Any:
        accepted = False
        try:
            result = result_of(choice)
            accepted = True
            return result
        finally:
            seen.add(choice, accepted)

    def result_of(choice: Concretization) -> Any:
        if of_choice is not None:
            result = of_choice(choice)
            if result is UNKNOWN:
                raise Refused("its numbers")
            return result
        try:
            return sized(interpreter, f, *choice.value)
        except (RaisedException, ConcretizationError) as refused:
            error = refused.value if isinstance(refused, RaisedException) else refused
            raise Refused(without_addresses(error)) from None

    def is_spent(is_accepted: bool) -> bool:
        return interpreter.budget.steps - steps > (MOST_STEPS if is_accepted else MOST_STEPS_IN_VAIN)

    def settled(trials: Trials) -> Any:
        known = arrays.known_of(trials.common)
        if known is None or known.dtype is not None:
            return None
        if known.shape is None:
            return arrays.array(None, None, None)  # the choices that were not tried might differ in weakness
        enough = of_dtypes and len(trials.accepted) >= ENOUGH_DTYPES
        return arrays.of_known(replace(known, weak=None)) if enough else None

    def evidence(trials: Trials) -> Evidence:
        accepted = trials.accepted
        largest = list(zip(*(choice.largest for choice in accepted), strict=True))
        return Evidence(len(accepted), fewest, _sizes(accepted), largest=largest)

    budget = Budget(interpreter.unseen.most(MOST_SAMPLES), ALIKE, is_spent)
    answer = abstract_call(run, untried, evidence, results, budget, settled)
    return answer.value if isinstance(answer, Known) else UNKNOWN


def _sizes(accepted: list[Concretization]) -> Sequence[Column]:
    """What the unknown sizes were in each sample: one size, or that of the first axis and that of all others."""
    sizes = [choice.size for choice in accepted]
    if None in sizes:
        return []
    if all(isinstance(size, Axes) for size in sizes):
        return [[size.first for size in sizes], [size.others for size in sizes]]
    return [sizes]
