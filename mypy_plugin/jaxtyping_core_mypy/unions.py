"""Calls of which a part is one of several things: a union.

JAX is asked about each choice. What it refuses of them is left out, as the program may never come to it; it refuses
the call if it refuses every member of the unions.
"""

from __future__ import annotations

from collections.abc import Callable

from jaxtyping_core.domain.values import Call, Either, choices, inside, number_of_choices
from jaxtyping_core.evaluation.protocol import Answer
from jaxtyping_core.sampling.tables.limits import MOST_UNION_CHOICES

Ask = Callable[[Call], Answer]


def ask(ask_each: Ask, call: Call) -> Answer:
    """The answer to a call, from those that `ask_each` gives to its choices; an `Either` of results where unions make several."""
    if not any(isinstance(value, Either) for value in inside(call)):
        return ask_each(call)
    if number_of_choices(call) > MOST_UNION_CHOICES:
        return Answer(unknown="too many choices")
    answers = list[Answer]()
    for choice in choices(call):
        assert isinstance(choice, Call)
        answers.append(ask_each(choice))
        if answers[-1].result is None and answers[-1].error is None:
            return answers[-1]
    results = [answer.result for answer in answers if answer.result is not None]
    if not results:
        return answers[0]
    distinct = [result for i, result in enumerate(results) if result not in results[:i]]
    return Answer(result=distinct[0] if len(distinct) == 1 else Either(tuple(distinct)))
