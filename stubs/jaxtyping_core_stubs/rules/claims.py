"""Claims about dtypes: hypotheses that are held against everything that was observed.

An observation is the dtypes that went in and the dtypes that came out, without and with 64-bit types. A claim survives
only if it agrees with all of them; the most specific survivor is what the stubs state.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping
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
    strong: bool = False  # whether it is about arrays of numbers without weak types only
    wrap: str = ""  # the table of one dtype that the result of a table of two is put through

    def text(self, names: tuple[str, ...]) -> str:
        """The claim in words, for the report."""
        used = ", ".join(names[index] for index in self.arguments)
        words = {"constant": self.table, "same": f"same as {used}", "unknown": "?"}
        known = words.get(self.kind, f"{self.table}({used})")
        known = f"{self.wrap}({known})" if self.wrap else known
        known = f"{known}; {self.exception} for bools" if self.exception else known
        return f"{known}, unless bool or weak" if self.strong else known


UNKNOWN = Claim("unknown")

#: The tables of two dtypes that the stubs have. More than two arrays are joined first, up to the last.
BINARY = ("join", "divide", "power")
#: The tables of two dtypes of which the result may be put through a table of one, and those.
WRAPPED = ("divide", "join")
WRAPS = ("strong", "mean", "softplus", "cauchy", "soft_sign", "std", "real_inexact", "fft")


def find(seen: Observations, narrow: bool = False, fixed: bool = False) -> Claim:
    """The most specific claim that agrees with every observation, or with its `narrow` half without 64-bit types.

    With `fixed`, the other operand may have been a Python scalar.
    """
    if not seen:
        return UNKNOWN
    candidates = itertools.chain(_candidates(seen, narrow), _fixed() if fixed else ())
    found = next((claim for claim in candidates if holds(claim, seen, narrow)), UNKNOWN)
    if found == UNKNOWN and len(next(iter(seen))) > 1:
        found = _but_for_bools(seen, narrow)
    if found == UNKNOWN and (strong := without_odd(seen)) and len(strong) < len(seen):
        return _if_strong(find(strong, narrow, fixed))
    return found


def _if_strong(claim: Claim) -> Claim:
    return claim if claim == UNKNOWN else claim._replace(strong=True)


#: What many functions treat in a way of their own.
ODD = ("bool", *dtypes.WEAK)


def without_odd(seen: Observations) -> Observations:
    """What was seen of arrays of numbers without weak types."""
    return {inputs: pair for inputs, pair in seen.items() if not set(inputs) & set(ODD)}


def _but_for_bools(seen: Observations, narrow: bool) -> Claim:
    """A claim about all but arrays of bools, which some functions treat otherwise: as ints, where they are no bits."""
    all_bools = ("bool",) * len(next(iter(seen)))
    if all_bools not in seen:
        return UNKNOWN
    rest = {inputs: pair for inputs, pair in seen.items() if inputs != all_bools}
    bools = tables.spell(seen[all_bools]) if not narrow else "bool_"
    binary = (claim for claim in _candidates(rest, narrow) if claim.kind == "binary")
    found = next((claim for claim in binary if holds(claim, rest, narrow)), None) if rest else None
    return found._replace(exception=bools) if found and bools else UNKNOWN


def _fixed() -> Iterator[Claim]:
    for table in BINARY:
        yield from (Claim("fixed", table, (0,), node) for node in ("bool", *dtypes.WEAK))


def holds(claim: Claim, seen: Observations, narrow: bool = False) -> bool:
    """Whether nothing that was seen contradicts the claim, and it says something about most of it."""
    if claim.strong:
        seen = without_odd(seen)
    if claim.exception:
        seen = {inputs: pair for inputs, pair in seen.items() if set(inputs) != {"bool"}}
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
            return _folded(claim, picked)
        case "fixed":
            return tables.binary(claim.table)[claim.other, picked[0]]
    return None


def _folded(claim: Claim, picked: Inputs) -> Pair | None:
    """The join of all but the last, with the last by the table, put through the other table."""
    found: Pair | None = (picked[0], picked[0])
    for index, node in enumerate(picked[1:], 2):
        table = tables.binary(claim.table if index == len(picked) else "join")
        found = _each_mode(found, functools.partial(_beside, table, node))
    if claim.wrap:
        found = _each_mode(found, tables.unary(UNARY[claim.wrap]).get)
    return found


def _beside(table: tables.Binary, second: str, first: str) -> Pair | None:
    return table.get((first, second))


def _each_mode(found: Pair | None, table: Callable[[str], Pair | None]) -> Pair | None:
    """What a table gives for the results without and with 64-bit types."""
    if found is None:
        return None
    off, on = table(found[0]), table(found[1])
    return None if off is None or on is None else (off[0], on[1])


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
    arguments: list[tuple[int, ...]] = [*itertools.permutations(range(arity), 2)]
    arguments += [tuple(range(count)) for count in range(3, arity + 1)]
    yield from (Claim("binary", table, used) for table in BINARY for used in arguments)
    yield from (
        Claim("binary", table, used, wrap=wrap)
        for used in arguments
        if list(used) == sorted(used)
        for table in WRAPPED
        for wrap in WRAPS
    )


def _constants(seen: Observations, narrow: bool) -> Iterator[Claim]:
    pairs = {pair for inputs, pair in seen.items() if not wide(inputs)}
    if len(pairs) == 1:
        pair = next(iter(pairs))
        if not narrow and pair in tables.DEFAULTS:
            yield Claim("constant", tables.DEFAULTS[pair])
        elif pair[0] == pair[1] and pair[0] in (*dtypes.DTYPES, *dtypes.WEAK):
            yield Claim("constant", pair[0])
