"""The answer to a request, whatever of its arrays and numbers is unknown."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...sampling.tables import DTYPE_SIZE, FEWEST_FILLED, FEWEST_SIZES, FILLS, MOST_SIZES, NO_SIZES, SCALARS
from ..merging import merge
from ..protocol import Answer, agreed
from ..values import Array, Call, Complex, Scalar, Static, Value, inside, transform
from .agreement import NOTHING_ACCEPTED, Outcome, of_draws
from .call import Evaluation, attempt, kind_of_refusal
from .choices import (
    equal_sizes,
    fitting_sizes,
    never_varied,
    scalar_numbers,
    small_sizes,
    stand_ins,
    unknown_dims,
    with_constant_exponents,
    with_scalars,
    with_sizes,
)
from .draws import Draws
from .refusals import whatever_is_drawn
from .results import but_for, without_sizes
from .sizes import concrete_reader
from .solvers import SOLVERS
from .symbols import has_unknown, name_unknowns, symbols_of
from .verdicts import Refused, Undecided, readable, words_about_ranks


def evaluate(call: Value) -> Answer:
    """The answer to a request for `call`."""
    answer = _evaluated(call)
    if answer.result is None or not isinstance(call, Call) or call.function not in SOLVERS:
        return answer
    return answer._replace(result=transform(answer.result, _weak_or_not))


def _weak_or_not(part: Value) -> Value:
    """An array that may be weak, and may not be: which dtypes give way to its own is not known."""
    return part.with_dtype(None, False) if isinstance(part, Array) and part.weak else part


def _evaluated(call: Value) -> Answer:
    draws = Draws(call)
    if draws.places:
        drawn = of_draws(draws, outcome_of_variants, of_one_size)
        refusal = whatever_is_drawn(draws, answer) if drawn.unknown == NOTHING_ACCEPTED else None
        return refusal or drawn
    return agreed(map(answer, variants(call)))


def outcome_of_variants(call: Value) -> Outcome:
    """What a draw gives, whether or not the exponents in it are constants."""
    outcomes = list(map(outcome, variants(call)))
    results = [variant.result for variant in outcomes if variant.result is not None]
    single = any(variant.single for variant in outcomes)
    undecided = any(variant.undecided for variant in outcomes)
    return Outcome(merge(results) if results else None, single, undecided)


def of_one_size(call: Value) -> Value | None:
    """What a draw gives if all unknown dims are equal, without the sizes; None where JAX refuses that, or it is undecided.

    Dtypes do not depend on sizes.
    """
    if symbols_of(call):
        return None
    sizes = (DTYPE_SIZE,) * unknown_dims(call)
    try:
        each = [Evaluation(with_sizes(choice, sizes)).run(concrete_reader({})) for choice in variants(call)]
    except (Refused, Undecided):
        return None
    return without_shapes(merge(each))


def without_shapes(result: Value) -> Value:
    """A result of which no more is told than the dtypes, which do not depend on sizes."""
    return transform(result, lambda part: replace(part, shape=None) if isinstance(part, Array) else part)


def variants(call: Value) -> list[Value]:
    """`call`, and what it is if the exponents in it are constants."""
    constant = with_constant_exponents(call)
    return [call] if constant == call else [call, constant]


def answer(call: Value) -> Answer:
    """The answer to a request for a call whose dtypes and ranks are known."""
    try:
        return Answer(result=attempt(Evaluation(name_unknowns(call))))
    except Refused as refusal:
        if not has_unknown(call):
            return error(call, str(refusal))
        problem: Exception = refusal
    except Undecided as undecided:
        problem = undecided
    for strategy in (with_symbolic_ints, with_actual_scalars, with_fitting_sizes, with_actual_numbers):
        try:
            return Answer(result=strategy(call))
        except Refused as refusal:
            return error(call, str(refusal))
        except Undecided:
            continue
    if isinstance(problem, Refused) and is_refused_for_ranks(call, str(problem)):
        return Answer(error=readable(str(problem)), kind="shape")
    return Answer(unknown=str(problem))


def outcome(call: Value) -> Outcome:
    """What a call gives of which a part is drawn: refused only if JAX refuses all sizes and scalars that are tried."""
    refused = False
    for strategy in (with_symbols, with_symbolic_ints, with_some_scalars, with_actual_numbers):
        try:
            return Outcome(strategy(call))
        except Refused as refusal:
            refused = True
            if words_about_ranks(str(refusal)):  # which no other size makes right
                return Outcome()
        except Undecided:
            continue
    results: list[Value] = []
    taken: list[tuple[int | str, ...]] = []
    undecided = False
    fitting, small = list(fitting_sizes(call)), list(small_sizes(call))
    equal = [sizes for sizes in equal_sizes(call) if sizes not in fitting and sizes not in small]
    for number, sizes in enumerate([*fitting, *equal, *small]):
        if results and (undecided or (len(results) >= FEWEST_SIZES and number >= MOST_SIZES)):
            break
        try:
            results.append(attempt(Evaluation(with_sizes(call, sizes))))
            taken.append(sizes)
        except Refused:
            refused = True
        except Undecided:
            undecided = True
    if not results:
        return Outcome(undecided=undecided or not refused)
    merged = but_for(merge(results), never_varied(call, taken))
    return Outcome(without_shapes(merged) if undecided else merged, single=len(results) == 1)


def error(call: Value, message: str) -> Answer:
    return Answer(error=message, kind=kind_of_refusal(Evaluation(call), message))


def is_refused_for_ranks(call: Value, message: str) -> bool:
    """Whether JAX refuses a call with these words about ranks, whatever its unknown sizes and scalars are."""
    words = words_about_ranks(message)
    if words is None:
        return False
    for stand_in in stand_ins(call):
        try:
            attempt(Evaluation(name_unknowns(stand_in)))
        except Refused as refusal:
            if words_about_ranks(str(refusal)) != words:
                return False
        except Undecided:
            return False
        else:
            return False
    return True


def with_symbols(call: Value) -> Value:
    """What is known if unknown dims are symbols."""
    return attempt(Evaluation(name_unknowns(call)))


def with_symbolic_ints(call: Value) -> Value:
    """A Python int whose value is not known may be a size: then it is no array but a symbolic dim."""
    if Scalar("int") not in inside(call):
        raise Undecided("there are no ints")
    try:
        result = attempt(Evaluation(name_unknowns(call, ints=True)))
    except Refused as refusal:
        raise Undecided(str(refusal)) from refusal
    for number in NO_SIZES:  # what a symbol never is
        try:
            result = merge([result, attempt(Evaluation(name_unknowns(with_scalars(call, number))))])
        except (Refused, Undecided):
            continue
    return result


def with_actual_scalars(call: Value) -> Value:
    """What is known for each of some values of the Python scalars.

    Raises:
        Refused: JAX refuses all of them, in the same words.
    """
    results, refusals, undecided = scalar_results(call)
    # Where all are refused, other sizes or ints may be right.
    others = unknown_dims(call) > 0 or Scalar("int") in inside(call)
    if undecided or (not results and (others or len(set(refusals)) > 1)):
        raise Undecided("no value that was tried is accepted")
    if not results:
        raise Refused(refusals[0])
    return common_to(results)


def scalar_results(call: Value) -> tuple[list[Value], list[str], bool]:
    """The results and the refusals for some values of the Python scalars, and whether any is undecided.

    Raises:
        Undecided: there are no scalars.
    """
    numbers = scalar_numbers(call)
    if not numbers:
        raise Undecided("there are no scalars")
    results, refusals, undecided = [], [], False
    for number in numbers:
        try:
            results.append(attempt(Evaluation(name_unknowns(with_scalars(call, number)))))
        except Refused as refusal:
            refusals.append(str(refusal))
        except Undecided:
            undecided = True
    return results, refusals, undecided


def with_some_scalars(call: Value) -> Value:
    """The same; what is refused for all of the values is refused, whatever the words."""
    results, _, undecided = scalar_results(call)
    if undecided:
        raise Undecided("some value that was tried is not decided")
    if not results:
        raise Refused("no value that was tried is accepted")
    return common_to(results)


def with_fitting_sizes(call: Value) -> Value:
    """What is known if unknown dims have sizes that others have: two must be equal, perhaps."""
    results: list[Value] = []
    taken: list[tuple[int | str, ...]] = []
    for sizes in fitting_sizes(call):
        try:
            results.append(attempt(Evaluation(with_sizes(call, sizes))))
            taken.append(sizes)
        except Refused:
            continue
    if not results:
        raise Undecided("no size that was tried is accepted")
    return but_for(common_to(results), never_varied(call, taken))


def common_to(results: list[Value]) -> Value:
    """What some choices agree on; of a single one, what others would surely give."""
    merged = merge(results)
    return merged if len(results) > 1 else without_sizes(merged)


def with_actual_numbers(call: Value) -> Value:
    """What a call that needs the numbers in its arrays gives for each of some choices of them."""
    if has_unknown(call) or symbols_of(call):
        raise Undecided("the sizes are not known")
    results = []
    for fill in FILLS:
        try:
            results.append(
                Evaluation(call).run(concrete_reader({}), numbers=functools.partial(_filled, fill))
            )
        except Refused:  # for these numbers
            continue
    if len(results) < FEWEST_FILLED:
        raise Undecided("too few of the numbers that were tried are accepted")
    return merge([transform(result, forget_value) for result in results])


def _filled(fill: Callable[[Any], Any], size: int) -> Any:
    import numpy as np

    return fill(np.arange(size))


def forget_value(part: Value) -> Value:
    """A Python value that was computed from made-up numbers: only its type is known."""
    if isinstance(part, Complex):
        return Scalar("complex")
    kind = type(part.value).__name__ if isinstance(part, Static) else ""
    return Scalar(kind) if kind in SCALARS else part
