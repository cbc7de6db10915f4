"""What follows from JAX's answers where a call stands for several: parts of it may be unions, and arrays may be of the layer.

An array annotated ``Float32[B]`` is one of JAX or one of the layer, and under a system other than "jax" the two promote
differently: only what holds for both is known.

Of a union, JAX is asked about each choice. What it refuses of them is left out, as the program may never come to it; it refuses
the call if it refuses every member of the unions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from jaxtyping_core.domain.values import (
    Array,
    Call,
    DType,
    Either,
    Unknown,
    Value,
    choices,
    inside,
    mentions_layer,
    number_of_choices,
    transform,
)
from jaxtyping_core.evaluation.protocol import Answer
from jaxtyping_core.sampling.tables.limits import MOST_UNION_CHOICES

Ask = Callable[[Call], Answer]


def of_the_layer(call: Call) -> Call:
    """`call` with every array in it one of the layer."""

    def change(part: Value) -> Value:
        return replace(part, layer=True) if isinstance(part, Array) else part

    changed = transform(call, change)
    assert isinstance(changed, Call)
    return changed


def without_dtypes(answer: Answer) -> Answer:
    """What of `answer` holds under every promotion system."""

    def change(part: Value) -> Value:
        if isinstance(part, Array):
            return Array.of(None, False, part.shape)
        return Unknown() if isinstance(part, DType) else part

    if answer.result is None:
        return answer if answer.unknown else Answer(unknown="the promotion system in force is not known")
    return Answer(result=transform(answer.result, change))


def without_refusal(call: Call, answer: Answer) -> Answer:
    """`answer`, unless it is a refusal by a function that the layer has too.

    A checker cannot tell ``jaxtyping_core.numpy.grad`` from ``jax.grad``, which refuses a function of the layer.
    """
    of_jax = call.function.startswith("jax.") or call.function == "value"
    return Answer(unknown=answer.error) if answer.error and of_jax and mentions_layer(call) else answer


def of_choices(ask_each: Ask, call: Call) -> Answer:
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
