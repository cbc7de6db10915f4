"""Answers about the array layer, whose arrays may stand where an annotation says only that it is an array.

An array annotated ``Float32[B]`` is one of JAX or one of the layer, and under a system other than "jax" the two promote
differently: only what holds for both is known.
"""

from __future__ import annotations

from dataclasses import replace

from jaxtyping_core.domain.values import Array, Call, DType, Unknown, Value, mentions_layer, transform
from jaxtyping_core.evaluation.protocol import Answer


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
