"""Claims about dtypes: hypotheses that are held against everything that was observed.

An observation is the dtypes that went in and the dtypes that came out, without and with 64-bit types. A claim survives
only if it agrees with all of them; the most specific survivor is what the stubs state.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from jaxtyping_core import dtypes

from .. import tables
from .unary import UNARY

#: The dtypes that came out, without and with 64-bit types.
Pair = tuple[str, str]
Inputs = tuple[str, ...]
Observations = Mapping[Inputs, Pair]

#: A table need not know every dtype that a function accepts, but most of them.
COVERAGE = 0.6


class Claim(NamedTuple):
    """How the dtype of a result follows from those of the arguments."""

    kind: str  # "constant", "same", "unary", "binary", "fixed", "unknown"
    table: str = ""  # for a constant: its class
    arguments: tuple[int, ...] = ()  # which arguments count
    other: str = ""  # the dtype that takes the place of the other argument in a table of two
    exception: str = ""  # what two arrays of bools give, if it is not what the table says

    def text(self, names: tuple[str, ...]) -> str:
        """The claim in words, for the report."""
        used = ", ".join(names[index] for index in self.arguments)
        words = {"constant": self.table, "same": f"same as {used}", "unknown": "?"}
        known = words.get(self.kind, f"{self.table}({used})")
        return f"{known}; {self.exception} for bools" if self.exception else known


UNKNOWN = Claim("unknown")

#: The tables of two dtypes that the stubs have.
BINARY = ("join", "divide", "power")


def find(seen: Observations, narrow: bool = False, fixed: bool = False) -> Claim:
    """The most specific claim that agrees with every observation, or with its `narrow` half without 64-bit types.

    With `fixed`, the other operand may have been a Python scalar.
    """
    if not seen:
        return UNKNOWN
    candidates = itertools.chain(_candidates(seen, narrow), _fixed() if fixed else ())
    found = next((claim for claim in candidates if holds(claim, seen, narrow)), UNKNOWN)
    if found == UNKNOWN and BOOLS in seen:
        return _but_for_bools(seen, narrow)
    return found


#: The pair that some functions treat otherwise: a bool counts as an int where it is no bit.
BOOLS = ("bool", "bool")


def _but_for_bools(seen: Observations, narrow: bool) -> Claim:
    """A claim about all pairs but that of two bools."""
    rest = {inputs: pair for inputs, pair in seen.items() if inputs != BOOLS}
    bools = tables.spell(seen[BOOLS]) if not narrow else "bool_"
    binary = (claim for claim in _candidates(rest, narrow) if claim.kind == "binary")
    found = next((claim for claim in binary if holds(claim, rest, narrow)), None) if rest else None
    return found._replace(exception=bools) if found and bools else UNKNOWN


def _fixed() -> Iterator[Claim]:
    for table in BINARY:
        yield from (Claim("fixed", table, (0,), node) for node in ("bool", *dtypes.WEAK))


def holds(claim: Claim, seen: Observations, narrow: bool = False) -> bool:
    """Whether nothing that was seen contradicts the claim, and it says something about most of it."""
    predicted = {inputs: predict(claim, inputs) for inputs in seen}
    known = [inputs for inputs, found in predicted.items() if found is not None]
    return len(known) >= COVERAGE * len(seen) and all(
        _agree(inputs, predicted[inputs], seen[inputs], narrow) for inputs in known
    )


def predict(claim: Claim, inputs: Inputs) -> Pair | None:
    """What the claim says of a call; None where it says nothing."""
    picked = tuple(inputs[index] for index in claim.arguments)
    match claim.kind:
        case "constant":
            return _CONSTANTS.get(claim.table, (claim.table, claim.table))
        case "same":
            return (picked[0], picked[0])
        case "unary":
            return tables.unary(UNARY[claim.table])[picked[0]]
        case "binary":
            return tables.binary(claim.table)[picked[0], picked[1]]
        case "fixed":
            return tables.binary(claim.table)[claim.other, picked[0]]
    return None


_CONSTANTS: dict[str, Pair] = {alias: pair for pair, alias in tables.DEFAULTS.items()}


def _agree(inputs: Inputs, predicted: Pair | None, seen: Pair, narrow: bool = False) -> bool:
    """With 64-bit types switched off there are no 64-bit arrays: what they would give does not count."""
    if predicted is None:
        return False
    if wide(inputs):
        return predicted[1] == seen[1]
    return predicted[0] == seen[0] if narrow else predicted == seen


def wide(inputs: Inputs) -> bool:
    """Whether a call has 64-bit arrays."""
    return any(node in dtypes.TO_32_BITS for node in inputs)


def _candidates(seen: Observations, narrow: bool) -> Iterator[Claim]:
    """All claims, the most specific first."""
    arity = len(next(iter(seen)))
    yield from _constants(seen, narrow)
    yield from (Claim("same", "", (index,)) for index in range(arity))
    yield from (Claim("unary", table, (index,)) for index in range(arity) for table in UNARY)
    for table in BINARY:
        for first in range(arity):
            yield from (Claim("binary", table, (first, second)) for second in range(arity) if second != first)


def _constants(seen: Observations, narrow: bool) -> Iterator[Claim]:
    pairs = {pair for inputs, pair in seen.items() if not wide(inputs)}
    if len(pairs) == 1:
        pair = next(iter(pairs))
        if not narrow and pair in tables.DEFAULTS:
            yield Claim("constant", tables.DEFAULTS[pair])
        elif pair[0] == pair[1] and pair[0] in (*dtypes.DTYPES, *dtypes.WEAK):
            yield Claim("constant", pair[0])

