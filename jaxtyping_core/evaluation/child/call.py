"""One call under JAX: with symbols for dims and, where that fails, for several choices of sizes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .objects import LEAVES, Builder
from .results import encode, in_agreement, merge
from .sizes import ABOVE_ONE, concrete_reader, symbolic_reader, witnesses
from .values import mentions_layer, symbols_of
from .verdicts import Refused, Undecided, verdict

#: Functions that accept when they are traced what they refuse when they are lowered, and its words.
LOWERED = frozenset({"jax.lax.reshape"})


class Call:
    """One call, evaluated under a way to read dims (symbolic or concrete)."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.symbols = symbols_of(value)

    def evaluate(
        self,
        dim: Callable[[Any], Any],
        dtype: str | None = None,
        numbers: Callable[[int], Any] | None = None,
    ) -> Any:
        """The encoded result. `dtype` replaces the dtype of every array; `numbers` makes so many numbers for
        arrays that are really computed with.

        Raises:
            Refused: JAX refuses the call.
            Undecided: the call needs values.
        """
        import jax

        builder = Builder(dim, dtype, numbers, mentions_layer(self.value))
        encoded: list[Any] = []

        def run(*xs: Any) -> None:
            encoded.append(encode(made({LEAVES: xs})))

        made = builder.build(self.value)
        try:
            if numbers is None:
                jax.eval_shape(run, *builder.leaves)
                if self.value[1] in LOWERED and not self.symbols:
                    jax.jit(lambda *xs: made({LEAVES: xs})).lower(*builder.leaves)
            else:
                run(*builder.leaves)
        except Exception as error:  # whatever JAX raises becomes an answer
            raise verdict(error, symbolic=bool(self.symbols) or numbers is not None) from error
        return encoded[0]


def attempt(call: Call) -> Any:
    """The result with symbols for dims; where that fails, what two choices of sizes agree on.

    Raises:
        Refused: JAX refuses the call for every choice.
        Undecided: abstract evaluation cannot tell.
    """
    try:
        result = call.evaluate(symbolic_reader())
    except (Refused, Undecided) as first:
        if not call.symbols:
            raise
        problem: Exception = first
    else:
        return confirmed(result, call) if call.symbols else result
    accepted = []
    for number, sizes in enumerate(witnesses(call.symbols)):
        try:
            accepted.append((number, call.evaluate(concrete_reader(sizes)), sizes))
        except Refused:
            continue
    # A symbol may stand for 1, but what is right for nothing else is not what was meant.
    if all(number >= ABOVE_ONE for number, _, _ in accepted):
        raise problem  # in the symbolic attempt's words: they have the user's own dim names
    if [number for number, _, _ in accepted][:2] != [0, 1]:
        raise Undecided("the answer depends on the sizes")
    return merge([result for _, result, _ in accepted], [sizes for _, _, sizes in accepted])


def confirmed(result: Any, call: Call) -> Any:
    """What of a symbolic result holds for small sizes, too: some functions have special cases for them."""
    sizes = {symbol: 2 + i % 2 for i, symbol in enumerate(call.symbols)}
    try:
        return in_agreement(result, call.evaluate(concrete_reader(sizes)), sizes)
    except (Refused, Undecided):
        return result


def kind_of_refusal(call: Call, message: str) -> str:
    """ "dtype" if the same call with arrays of one dtype is accepted, or if JAX speaks of types; else "shape"."""
    reader = concrete_reader(witnesses(call.symbols)[0])
    for dtype in ("float32", "int32", "bool"):
        try:
            call.evaluate(reader, dtype)
        except (Refused, Undecided):
            continue
        return "dtype"
    of_shapes = re.search(r"shape|broadcast", message)  # JAX calls a dtype and a shape together a type
    return "dtype" if re.search(r"\bd?types?\b", message) and not of_shapes else "shape"
