"""Calls of libraries with arguments that are not wholly known: several choices are tried, and what agrees is kept."""

from __future__ import annotations

import itertools
import types
from collections.abc import Iterator
from operator import and_
from typing import TYPE_CHECKING, Any

from .....sampling.tables import (
    ALIKE,
    ENOUGH_DTYPES,
    FEWEST_OF_ANYTHING,
    MOST_SAMPLES,
    MOST_STEPS,
    MOST_STEPS_IN_VAIN,
)
from ..control import Raised
from ..values import arrays
from ..values.conversions import as_array
from ..values.joins import join
from ..values.unknowns import (
    UNKNOWN,
    NeedsValue,
    Partial,
)
from .choices import (
    Choice,
    anything_in,
    changed,
    choices,
    unknown_in,
    with_numbers,
    with_steps,
)
from .memory import OF_ARRAYS, module_root, pattern, remember, remembered
from .methods import holder_of
from .number_sizes import shares_symbols, with_number_symbols
from .shapes import with_ints
from .size_trials import really, sized, unbound, without_addresses
from .sizes import but_for, symbols_in, without_ranks, without_sizes

if TYPE_CHECKING:
    from ..machine import Machine

#: Functions that only look at how values are put together: unknown ones, but of a known kind, are no matter.
OF_TREES = frozenset(
    {"dataclasses", "collections", "__program__", "typing", "functools", "itertools", "copy", "builtins"}
)


def partially(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a call with unknown parts gives."""
    f, args = unbound(f, args)
    root = module_root(f)
    if root in OF_ARRAYS:
        args, kwargs = with_ints(f, args, kwargs)
    if root in OF_TREES and not anything_in([args, kwargs]):
        return machine.real(f, args, kwargs)
    of_arrays = root in OF_ARRAYS and not _of_trees(f)
    if not of_arrays and anything_in([args, kwargs, holder_of(f)]):
        machine.forget([*args, *kwargs.values()])
        return UNKNOWN
    arguments = [args, kwargs]
    symbols = symbols_in(arguments)
    key = ("partially", f, pattern(arguments, symbols))
    known = remembered(machine, key, symbols)
    if known is not None:
        machine.may_raise_epoch += 1
        return known[0]
    with machine.within(speculative=True, trying=True):
        result = _drawn(machine, f, arguments)
    machine.may_raise_epoch += 1
    if result is UNKNOWN:
        choice = _refused_for_all(machine, f, arguments)
        if choice is not None:
            return machine.call(f, *choice)  # which says why
        machine.escape([f, holder_of(f), *args, *kwargs.values()])
    if not shares_symbols(result, arguments):
        remember(machine, key, result, symbols)
    return result


def _refused_for_all(machine: Machine, f: Any, arguments: Any) -> Any:
    """One choice for arrays whose sizes are known, if JAX refuses all of them in the same words; None if it does not."""
    unknown = unknown_in(arguments)
    of_known_sizes = [leaf for leaf in unknown if isinstance(leaf, Partial) and leaf.dims is not None]
    of_any_dtype = {id(leaf) for leaf in of_known_sizes if leaf.dtype_name is None}
    # In each choice all of these get the same dtype.
    if not unknown or len(of_known_sizes) < len(unknown) or len(of_any_dtype) > 1:
        return None
    words, tried = set[str](), list(choices(arguments, 0))
    for choice in tried:
        with machine.within(speculative=True, trying=True):
            try:
                sized(machine, f, *choice.value)
            except (Raised, NeedsValue) as refused:
                words.add(without_addresses(refused.value if isinstance(refused, Raised) else refused))
            else:
                return None
        if len(words) > 1:
            return None
    return tried[0].value


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


def _drawn(machine: Machine, f: Any, arguments: Any) -> Any:
    with_arrays = changed(arguments, as_array)
    if not arrays.holds_unknown(with_arrays):
        try:
            return sized(machine, f, *with_arrays)
        except (Raised, NeedsValue):
            result = with_number_symbols(machine, f, arguments, really)
            if result is not UNKNOWN:
                return result
            result = _agreed(machine, f, map(Choice, with_numbers(arguments)))
        if result is not UNKNOWN:
            return result
        made = _agreed(machine, f, map(Choice, with_steps(arguments)))
        return made if isinstance(made, types.FunctionType) else UNKNOWN
    holes = anything_in(arguments)
    if holes > 2:
        return UNKNOWN
    described = [arrays.description(leaf) for leaf in unknown_in(with_arrays)]
    of_dtypes = all(known is not None and known[2] is not None for known in described)
    refusals = set[str]()
    tried = choices(with_arrays, holes, refusals)
    return _agreed(machine, f, tried, FEWEST_OF_ANYTHING if holes else 1, of_dtypes, refusals)


def _of_other_dtypes(few: list[Choice]) -> Iterator[Choice]:
    """What else may be accepted, of dtypes that were not tried with what was, where little was."""
    for choice in list(few):
        yield from choice.others()


def _agreed(
    machine: Machine,
    f: Any,
    choices: Iterator[Choice],
    fewest: int = 1,
    of_dtypes: bool = False,
    refusals: set[str] | None = None,
) -> Any:
    """What all choices that are accepted have in common; too few of them tell nothing.

    With `of_dtypes`, the choices differ in dtypes alone: when the dtype of what is given differs, little is left to learn.
    `refusals` gets the words in which the others are refused.
    """
    results: list[Any] = []
    accepted, sizes, of_largest = 0, set[Any](), list[bool]()
    refusals = set[str]() if refusals is None else refusals
    steps = machine.budget.steps
    few: list[Choice] = []
    for count, choice in enumerate(itertools.chain(choices, _of_other_dtypes(few))):
        if count >= MOST_SAMPLES or machine.budget.steps - steps > (
            MOST_STEPS if accepted else MOST_STEPS_IN_VAIN
        ):
            return UNKNOWN
        try:
            result = sized(machine, f, *choice.value)
        except (Raised, NeedsValue) as refused:
            refusals.add(without_addresses(refused.value if isinstance(refused, Raised) else refused))
            if count + 1 == ALIKE and len(refusals) == 1 and not accepted:
                return UNKNOWN
            continue
        accepted += 1
        few[:] = [choice] if accepted < ENOUGH_DTYPES else []
        sizes.add(choice.size)
        of_largest = [*map(and_, of_largest, choice.largest)] if accepted > 1 else [*choice.largest]
        results[:] = [join(results[0], result) if results else result]
        described = arrays.description(results[0])
        if results[0] is UNKNOWN:
            return UNKNOWN
        if described and described[0] is None and described[2] is None:
            return arrays.array(None, None, None)  # the choices that were not tried might differ in weakness
        if accepted >= ENOUGH_DTYPES and of_dtypes and described and described[0] is None:
            return arrays.array(None, None, described[2])
    if accepted < fewest:
        return UNKNOWN
    if any(of_largest):  # arrays of more dims would be accepted as well, perhaps
        return without_ranks(results[0])
    # What one size gives follows from it, perhaps.
    of_one = sum(type(size) is int for size in sizes) == 1
    if None not in sizes and (len(sizes) == 1 or of_one):
        return without_sizes(results[0])
    behind = {size[1] for size in sizes if isinstance(size, tuple)}  # all axes but the first
    return but_for(results[0], behind if len(behind) == 1 else set())
