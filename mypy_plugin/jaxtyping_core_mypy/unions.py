"""Calls of which a part is one of several things: a union, or a list of unknown length.

JAX is asked about each choice. What it refuses of them is left out, as the program may never come to it; it refuses
the call if it refuses every member of the unions.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from jaxtyping_core.domain.merging import merge
from jaxtyping_core.domain.values import (
    Array,
    Call,
    Either,
    Many,
    Unknown,
    Value,
    choices,
    inside,
    number_of_choices,
    transform,
)
from jaxtyping_core.evaluation.protocol import Answer
from jaxtyping_core.sampling.calls import Budget, Refused, Trials, Values, abstract_call
from jaxtyping_core.sampling.proof import Evidence, Known
from jaxtyping_core.sampling.tables.limits import FEWEST_SIZES, MOST_UNION_CHOICES
from jaxtyping_core.sampling.tables.ranks import TYPED_LIST_LENGTHS

Ask = Callable[[Call], Answer]


def ask(ask_each: Ask, call: Call, lengths: bool = True) -> Answer:
    """The answer to a call, from those that `ask_each` gives to its choices; an `Either` of results where unions make several.

    Without `lengths`, it is asked about lists of unknown length as they are.
    """
    kinds = {type(value) for value in inside(call)} - (set() if lengths else {Many})
    if not kinds & {Either, Many}:
        return ask_each(call)
    if number_of_choices(call) * (len(TYPED_LIST_LENGTHS) if Many in kinds else 1) > MOST_UNION_CHOICES:
        return Answer(unknown="too many choices")
    ask_all = (lambda choice: _of_lengths(ask_each, choice)) if lengths else ask_each
    answers = list[Answer]()
    for choice in choices(call):
        assert isinstance(choice, Call)
        answers.append(ask_all(choice))
        if _is_unknown(answers[-1]):
            return answers[-1]
    results = [answer.result for answer in answers if answer.result is not None]
    if not results:
        return answers[0]
    distinct = [result for i, result in enumerate(results) if result not in results[:i]]
    return Answer(result=distinct[0] if len(distinct) == 1 else Either(tuple(distinct)))


def _is_unknown(answer: Answer) -> bool:
    return answer.result is None and answer.error is None


def _of_lengths(ask_each: Ask, call: Call) -> Answer:
    """The answer to a call without unions: what lists of several lengths agree on. No more are tried than tell."""
    if not any(isinstance(value, Many) for value in inside(call)):
        return ask_each(call)
    undecided = list[Answer]()

    def run(length: int) -> Value:
        answer = ask_each(_with_length(call, length))
        if answer.result is not None:
            return answer.result
        if _is_unknown(answer):
            undecided.append(answer)
        raise Refused

    def samples(_: Trials) -> Iterator[int]:
        yield from itertools.takewhile(lambda _: not undecided, TYPED_LIST_LENGTHS)

    def evidence(trials: Trials) -> Evidence:
        return Evidence(len(trials.accepted), FEWEST_SIZES)

    known = abstract_call(run, samples, evidence, RESULTS, Budget())
    if undecided:
        return undecided[0]
    if not isinstance(known, Known):
        return Answer(unknown="it depends on the length of a list")
    return Answer(result=known.value)


def _says_nothing(value: Value) -> bool:
    is_open_array = isinstance(value, Array) and value.dtype is None and value.shape is None
    return isinstance(value, Unknown) or is_open_array


#: How the results for several lengths are put together.
RESULTS = Values(lambda a, b: merge([a, b]), lambda common, _: common, _says_nothing)


def _with_length(call: Call, length: int) -> Call:
    def change(value: Value) -> Value:
        return value.of_length(length) if isinstance(value, Many) else value

    changed = transform(call, change)
    assert isinstance(changed, Call)
    return changed
