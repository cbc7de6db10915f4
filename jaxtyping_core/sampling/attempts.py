"""One call under JAX: with symbols for dims and, where that fails, for several choices of sizes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from ..domain.dims import Dim
from ..domain.merging import merge
from ..domain.values import Call, Unknown, Value
from .calls import Budget, Trials, Values, abstract_call
from .calls import Refused as NotAccepted
from .errors import Inconclusive, Refused, kind_of, verdict
from .objects import LEAVES, Builder
from .proof import Evidence, Known, Proof, Rejected, proven
from .proof import Unknown as NoProof
from .results import dims_confirmed, dims_under, has_formula, value_of, without_formulas
from .sizes import (
    concrete_reader,
    confirmations,
    dim_samples,
    symbolic_reader,
    without_elements,
)
from .symbols import symbols_of
from .tables.dtypes import UNIFORM_DTYPES
from .tables.limits import FEWEST_FOR_FORMULA, FEWEST_SIZES
from .tables.sizes import DISTINCT_ROWS

#: Functions that accept when they are traced what they refuse when they are lowered, and its words.
LOWERED = frozenset({"jax.lax.reshape"})


class Evaluation:
    """One call, evaluated under a way to read dims (symbolic or concrete)."""

    def __init__(self, value: Value) -> None:
        self.value = value
        self.symbols = symbols_of(value)

    def run(
        self,
        dim: Callable[[Dim], Any],
        dtype: str | None = None,
        numbers: Callable[[int], Any] | None = None,
    ) -> Value:
        """The result, for an object that `Builder` makes of the call.

        Raises:
            Refused: JAX refuses the call.
            Inconclusive: the call needs values.
        """
        import jax

        builder = Builder(self.value, dim, dtype, numbers)
        result: Value = Unknown()

        def evaluate(*xs: Any) -> None:
            nonlocal result
            result = value_of(builder.make({LEAVES: xs}))

        try:
            if numbers is None:
                jax.eval_shape(evaluate, *builder.leaves)
                if self.is_lowered and not self.symbols:
                    jax.jit(lambda *xs: builder.make({LEAVES: xs})).lower(*builder.leaves)
            else:
                evaluate(*builder.leaves)
        except Exception as error:  # whatever JAX raises becomes an answer
            raise verdict(error, symbolic=bool(self.symbols) or numbers is not None) from error
        return result

    @property
    def is_lowered(self) -> bool:
        """Whether the call may be refused only when it is lowered."""
        return isinstance(self.value, Call) and self.value.function in LOWERED


class Accepted(NamedTuple):
    """What the call gives for a choice of sizes."""

    result: Value
    sizes: dict[str, int]


#: Results are put together at the end: what a size follows from shows in all of them at once.
ROWS = Values(operator.add, lambda accepted, _: accepted, lambda _: False)


def attempt(call: Evaluation) -> Value:
    """The result with symbols for dims; where that fails or misleads, what choices of sizes agree on.

    Raises:
        Refused: JAX refuses the call for every choice.
        Inconclusive: abstract evaluation cannot tell.
    """
    try:
        result = call.run(symbolic_reader())
    except (Refused, Inconclusive) as problem:
        if not call.symbols:
            raise
        return by_sizes(call, problem)
    if not call.symbols:
        return result
    agreed = confirmed(result, call)
    if agreed == result:
        return result
    try:
        return by_sizes(call, Inconclusive("the symbols mislead JAX"))
    except (Refused, Inconclusive):
        return agreed


def by_sizes(call: Evaluation, problem: Exception) -> Value:
    """What choices of sizes agree on, after the `problem` with symbols.

    Raises:
        Refused: JAX refuses the call for every choice.
        Inconclusive: abstract evaluation cannot tell.
    """
    rows = dim_samples(call.symbols)

    def of_distinct(trials: Trials) -> Evidence:
        """Symbols may stand for 1, or for the same size, but what is right for nothing else is not what was meant."""
        return Evidence(sum(map(operator.eq, trials.accepted, rows[:FEWEST_SIZES])), FEWEST_SIZES)

    def samples(trials: Trials) -> Iterator[dict[str, int]]:
        yield from rows[:DISTINCT_ROWS]
        if isinstance(proven(of_distinct(trials)), Proof):
            yield from rows[DISTINCT_ROWS:]

    first = of_sizes(call, samples, of_distinct)
    if isinstance(first, Rejected):
        raise problem  # in the symbolic attempt's words: they have the user's own dim names
    if not isinstance(first, Known):
        raise Inconclusive("the answer depends on the sizes")
    _, merged = agreeing(merged_sizes(first.value), call, without_elements(call.symbols))
    if not has_formula(merged):
        return merged
    further = dim_samples(call.symbols, more=True)
    try:
        more = of_sizes(call, lambda _: further, _of_formulas)
    except Inconclusive:
        return without_formulas(merged)
    if not isinstance(more, Known):
        return without_formulas(merged)
    return agreeing(merged_sizes([*first.value, *more.value]), call, without_elements(call.symbols))[1]


def _of_formulas(trials: Trials) -> Evidence:
    return Evidence(len(trials.accepted), FEWEST_FOR_FORMULA)


def of_sizes(
    call: Evaluation,
    samples: Callable[[Trials], Iterable[dict[str, int]]],
    evidence: Callable[[Trials], Evidence],
) -> Known | Rejected | NoProof:
    """The choices of sizes for which JAX accepts the call, if they prove something.

    Raises:
        Inconclusive: abstract evaluation cannot tell, for one of them.
    """

    def run(sizes: dict[str, int]) -> list[Accepted]:
        try:
            return [Accepted(call.run(concrete_reader(sizes)), sizes)]
        except Refused as refusal:
            raise NotAccepted from refusal

    return abstract_call(run, samples, evidence, ROWS, Budget())


def merged_sizes(accepted: list[Accepted]) -> Value:
    results, sizes = zip(*accepted, strict=True)
    return merge(results, dims_under(list(sizes)))


def confirmed(result: Value, call: Evaluation) -> Value:
    """What of a symbolic result holds for actual sizes, too; for small ones, if not where unknown dims are 0."""
    empty = [*without_elements(call.symbols)]
    accepted, agreed = agreeing(result, call, empty)
    if accepted and not has_formula(result):
        return agreed
    return agreeing(agreed, call, confirmations(call.symbols, has_formula(result)))[1]


def agreeing(result: Value, call: Evaluation, choices: Iterable[dict[str, int]]) -> tuple[int, Value]:
    """For how many of some choices of sizes JAX accepts the call, and what of a result holds for them, too."""
    accepted = 0
    for sizes in choices:
        try:
            result = merge([result, call.run(concrete_reader(sizes))], dims_confirmed(sizes))
            accepted += 1
        except (Refused, Inconclusive):
            continue
    return accepted, result


def kind_of_refusal(call: Evaluation, message: str) -> str:
    """ "dtype" if the same call with arrays of one dtype is accepted, or if JAX speaks of types; else "shape"."""
    reader = concrete_reader(dim_samples(call.symbols)[0])
    for dtype in UNIFORM_DTYPES:
        try:
            call.run(reader, dtype)
        except (Refused, Inconclusive):
            continue
        return "dtype"
    return kind_of(message)
