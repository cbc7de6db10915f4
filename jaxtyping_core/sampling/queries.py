"""The answer to a request, whatever of its arrays and numbers is unknown."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any, cast

from ..domain.merging import merge
from ..domain.values import Array, Call, Complex, Scalar, Static, Value, inside, transform
from ..evaluation.protocol import Answer, agreed
from .attempts import Evaluation, attempt, kind_of_refusal
from .calls import Budget, Trials, Values, abstract_call
from .calls import Refused as NotAccepted
from .choices import (
    equal_sizes,
    expected_sizes,
    fitting_sizes,
    scalar_numbers,
    small_sizes,
    stand_ins,
    unknown_dims,
    with_constant_exponents,
    with_each_bool,
    with_scalars,
    with_sizes,
)
from .concretize import Draws
from .errors import Inconclusive, Refused, readable, words_about_ranks
from .generalize import NOTHING_ACCEPTED, Outcome, joined, of_draws
from .proof import Evidence, Known, Proof, Rejected, rejected
from .proof import Unknown as NoProof
from .refusals import whatever_is_drawn
from .results import generalized
from .sizes import concrete_reader
from .solvers import SOLVERS
from .symbols import has_unknown, name_unknowns, symbols_of
from .tables.limits import FEWEST_FILLED, FEWEST_SIZES, MOST_SIZES
from .tables.numbers import FILLS, NO_SIZES, SCALARS
from .tables.sizes import DTYPE_SIZE

#: Sizes for the unknown dims of a call.
Sizes = tuple[int | str, ...]


#: How results are put together; those of a draw, too, whose sizes other draws may vary.
RESULTS = Values(joined, generalized, lambda _: False)
RESULTS_OF_DRAWS = RESULTS._replace(
    generalize=lambda result, proof: generalized(result, proof._replace(sizes=True))
)


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
        drawn = of_draws(draws, outcome_of_variants, of_one_size, of_equal_sizes)
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
    try:
        return generalized(of_equal_sizes(call), Proof(rank=False))
    except (Refused, Inconclusive):
        return None


def of_equal_sizes(call: Value) -> Value:
    """What a draw gives if all unknown dims are equal.

    Raises:
        Refused: JAX refuses that.
        Inconclusive: it needs values, or there are symbols.
    """
    if symbols_of(call):
        raise Inconclusive("there are symbols")
    sizes = (DTYPE_SIZE,) * unknown_dims(call)
    return merge(
        [Evaluation(with_sizes(choice, sizes)).run(concrete_reader({})) for choice in variants(call)]
    )


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
    except Inconclusive as undecided:
        problem = undecided
    for strategy in (with_symbolic_ints, with_actual_scalars, with_fitting_sizes, with_actual_numbers):
        try:
            return Answer(result=strategy(call))
        except Refused as refusal:
            return error(call, str(refusal))
        except Inconclusive:
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
        except Inconclusive:
            continue
    undecided = False
    fitting, small = list(fitting_sizes(call)), list(small_sizes(call))
    equal = [sizes for sizes in equal_sizes(call) if sizes not in fitting and sizes not in small]

    def samples(trials: Trials) -> Iterator[Sizes]:
        for number, sizes in enumerate([*fitting, *equal, *small]):
            accepted = len(trials.accepted)
            if accepted and (undecided or (accepted >= FEWEST_SIZES and number >= MOST_SIZES)):
                return
            yield sizes

    def run(sizes: Sizes) -> Value:
        nonlocal undecided, refused
        try:
            return attempt(Evaluation(with_sizes(call, sizes)))
        except Refused as refusal:
            refused = True
            raise NotAccepted from refusal
        except Inconclusive as reason:
            undecided = True
            raise NotAccepted from reason

    accepted = 0

    def evidence(trials: Trials) -> Evidence:
        nonlocal accepted
        accepted = len(trials.accepted)
        untried = trials.tried < len(fitting)
        return of_sizes(call, trials)._replace(untried_ranks=undecided, untried_expected=untried)

    answer = abstract_call(run, samples, evidence, RESULTS_OF_DRAWS, Budget())
    if not isinstance(answer, Known):
        return Outcome(undecided=undecided or not refused)
    return Outcome(answer.value, single=accepted == 1)


def of_sizes(call: Value, trials: Trials) -> Evidence:
    """What unknown dims were in the accepted choices of sizes."""
    columns = list(zip(*trials.accepted, strict=True))
    return Evidence(len(trials.accepted), sizes=columns, expected=expected_sizes(call))


def error(call: Value, message: str) -> Answer:
    return Answer(error=message, kind=kind_of_refusal(Evaluation(call), message))


def is_refused_for_ranks(call: Value, message: str) -> bool:
    """Whether JAX refuses a call with these words about ranks, whatever its unknown sizes and scalars are."""
    words = words_about_ranks(message)
    refusal = rejected(itertools.chain([words], map(_words_about_ranks, stand_ins(call))))
    return isinstance(refusal, Rejected)


def _words_about_ranks(call: Value) -> str | None:
    """In what words about ranks JAX refuses a call; None if it does not."""
    try:
        attempt(Evaluation(name_unknowns(call)))
    except Refused as refusal:
        return words_about_ranks(str(refusal))
    except Inconclusive:
        pass
    return None


def with_symbols(call: Value) -> Value:
    """What is known if unknown dims are symbols."""
    return attempt(Evaluation(name_unknowns(call)))


def with_symbolic_ints(call: Value) -> Value:
    """A Python int whose value is not known may be a size: then it is no array but a symbolic dim."""
    if Scalar("int") not in inside(call):
        raise Inconclusive("there are no ints")
    try:
        result = attempt(Evaluation(name_unknowns(call, ints=True)))
    except Refused as refusal:
        raise Inconclusive(str(refusal)) from refusal
    for number in (
        each for none in NO_SIZES for each in with_each_bool(call, none)
    ):  # what a symbol never is
        try:
            result = merge([result, attempt(Evaluation(name_unknowns(with_scalars(call, number))))])
        except (Refused, Inconclusive):
            continue
    return result


def with_actual_scalars(call: Value) -> Value:
    """What is known for each of some values of the Python scalars.

    Raises:
        Refused: JAX refuses all of them, in the same words.
    """
    answer, refusals, undecided = of_scalars(call)
    if isinstance(answer, Known) and not undecided:
        return cast(Value, answer.value)
    refusal = rejected(refusals)
    # Where all are refused, other sizes or ints may be right.
    others = unknown_dims(call) > 0 or Scalar("int") in inside(call)
    if undecided or others or not isinstance(refusal, Rejected):
        raise Inconclusive("no value that was tried is accepted")
    raise Refused(refusal.words)


def of_scalars(call: Value) -> tuple[Known | Rejected | NoProof, list[str], bool]:
    """What some values of the Python scalars prove, the words of those that are refused, and whether any is undecided.

    Raises:
        Inconclusive: there are no scalars.
    """
    numbers = scalar_numbers(call)
    if not numbers:
        raise Inconclusive("there are no scalars")
    refusals, undecided = list[str](), False

    def run(number: int) -> Value:
        nonlocal undecided
        try:
            return attempt(Evaluation(name_unknowns(with_scalars(call, number))))
        except Refused as refusal:
            refusals.append(str(refusal))
            raise NotAccepted from refusal
        except Inconclusive as reason:
            undecided = True
            raise NotAccepted from reason

    def evidence(trials: Trials) -> Evidence:
        return Evidence(len(trials.accepted), sizes=[trials.accepted])

    answer = abstract_call(run, lambda _: numbers, evidence, RESULTS, Budget())
    return answer, refusals, undecided


def with_some_scalars(call: Value) -> Value:
    """The same; what is refused for all of the values is refused, whatever the words."""
    answer, _, undecided = of_scalars(call)
    if undecided:
        raise Inconclusive("some value that was tried is not decided")
    if not isinstance(answer, Known):
        raise Refused("no value that was tried is accepted")
    return cast(Value, answer.value)


def with_fitting_sizes(call: Value) -> Value:
    """What is known if unknown dims have sizes that others have: two must be equal, perhaps."""

    def run(sizes: Sizes) -> Value:
        try:
            return attempt(Evaluation(with_sizes(call, sizes)))
        except Refused as refusal:
            raise NotAccepted from refusal

    answer = abstract_call(
        run, lambda _: fitting_sizes(call), lambda trials: of_sizes(call, trials), RESULTS, Budget()
    )
    if not isinstance(answer, Known):
        raise Inconclusive("no size that was tried is accepted")
    return cast(Value, answer.value)


def with_actual_numbers(call: Value) -> Value:
    """What a call that needs the numbers in its arrays gives for each of some choices of them."""
    if has_unknown(call) or symbols_of(call):
        raise Inconclusive("the sizes are not known")

    def run(fill: Callable[[Any], Any]) -> Value:
        numbers = functools.partial(_filled, fill)
        try:
            return transform(Evaluation(call).run(concrete_reader({}), numbers=numbers), forget_value)
        except Refused as refusal:  # for these numbers
            raise NotAccepted from refusal

    answer = abstract_call(
        run, lambda _: FILLS, lambda trials: Evidence(len(trials.accepted), FEWEST_FILLED), RESULTS, Budget()
    )
    if not isinstance(answer, Known):
        raise Inconclusive("too few of the numbers that were tried are accepted")
    return cast(Value, answer.value)


def _filled(fill: Callable[[Any], Any], size: int) -> Any:
    import numpy as np

    return fill(np.arange(size))


def forget_value(part: Value) -> Value:
    """A Python value that was computed from made-up numbers: only its type is known."""
    if isinstance(part, Complex):
        return Scalar("complex")
    kind = type(part.value).__name__ if isinstance(part, Static) else ""
    return Scalar(kind) if kind in SCALARS else part
