"""Claims about dtypes: hypotheses that are held against everything that was observed.

An observation is the dtypes that went in and the dtypes that came out, without and with 64-bit types. A claim survives
only if it agrees with all of them; the most specific survivor is what the stubs state.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from jaxtyping_core import dtypes

from .. import tables

#: The dtypes that came out, without and with 64-bit types.
Pair = tuple[str, str]
Inputs = tuple[str, ...]
Observations = Mapping[Inputs, Pair]
#: A table of one dtype: what each gives.
Results = tuple[tuple[str, Pair], ...]

#: What a table says of a dtype that gives one dtype here and another there.
OPEN: Pair = ("?", "?")
#: What many functions treat in a way of their own, by shapes and values: a table may leave them open.
ODD = ("bool", *dtypes.WEAK)
#: A table of two dtypes need not know every dtype that a function accepts, but most of them.
COVERAGE = 0.6
#: The tables of two dtypes that the stubs have. More than two arrays are joined first, up to the last.
BINARY = ("join", "divide", "power")


class Claim(NamedTuple):
    """How the dtype of a result follows from those of the arguments."""

    kind: str  # "constant", "same", "table", "binary", "fixed", "unknown"
    table: str = ""  # for a constant: its class; the name of a table of two dtypes
    arguments: tuple[int, ...] = ()  # which arguments count
    other: str = ""  # the dtype that takes the place of the other argument in a table of two
    exception: str = ""  # what two arrays of bools give, if it is not what the table says
    strong: bool = False  # whether it is about arrays of numbers without weak types only
    results: Results = ()  # the table of one dtype that the join of the arguments is put through

    @property
    def speaks(self) -> bool:
        """Whether it says how the dtype follows from those of arguments."""
        return self.kind not in ("constant", "unknown")


UNKNOWN = Claim("unknown")


def find(
    seen: Observations,
    elsewhere: Sequence[Observations] = (),
    *,
    narrow: bool = False,
    beside: str = "",
) -> Claim:
    """The most specific claim that agrees with every observation, or with its `narrow` half without 64-bit types.

    What was seen `elsewhere`, with arrays of other shapes, counts as well. `beside` is what a Python scalar counts as
    that was the other operand.
    """
    if all(inputs and set(inputs) <= set(ODD) for inputs in seen):  # too little to tell
        return UNKNOWN
    everything = [seen, *(more for more in elsewhere if more)]
    besides = _beside_scalar(beside, everything, narrow) if beside else ()
    candidates = itertools.chain(_candidates(seen, narrow), besides, _through_joins(everything, narrow))
    claim = next((claim for claim in candidates if _holds_in_all(claim, everything, narrow)), UNKNOWN)
    if claim == UNKNOWN and len(next(iter(seen))) > 1:
        claim = _but_for_bools(everything, narrow)
    if claim == UNKNOWN and (strong := without_odd(seen)) and len(strong) < len(seen):
        return _if_strong(find(strong, list(map(without_odd, elsewhere)), narrow=narrow, beside=beside))
    return claim


def _holds_in_all(claim: Claim, everything: Sequence[Observations], narrow: bool) -> bool:
    return all(holds(claim, seen, narrow) for seen in everything)


def _if_strong(claim: Claim) -> Claim:
    return claim if claim == UNKNOWN else claim._replace(strong=True)


def without_odd(seen: Observations) -> Observations:
    """What was seen of arrays of numbers without weak types."""
    return {inputs: pair for inputs, pair in seen.items() if not set(inputs) & set(ODD)}


def _but_for_bools(everything: Sequence[Observations], narrow: bool) -> Claim:
    """A claim about all but arrays of bools, which some functions treat otherwise: as ints, where they are no bits."""
    seen = everything[0]
    all_bools = ("bool",) * len(next(iter(seen)))
    if all_bools not in seen:
        return UNKNOWN
    rest = [{key: pair for key, pair in each.items() if key != all_bools} for each in everything]
    bools = tables.spell(seen[all_bools]) if not narrow else "bool_"
    if (
        not rest[0]
        or not bools
        or any(each.get(all_bools, seen[all_bools]) != seen[all_bools] for each in everything)
    ):
        return UNKNOWN
    binary = (claim for claim in _candidates(rest[0], narrow) if claim.kind == "binary")
    claim = next((claim for claim in binary if _holds_in_all(claim, rest, narrow)), None)
    return claim._replace(exception=bools) if claim else UNKNOWN


def _beside_scalar(node: str, everything: Sequence[Observations], narrow: bool) -> Iterator[Claim]:
    """The claims about the dtype of one array where the other operand of a function is a scalar."""
    for table in BINARY:
        yield from (Claim("fixed", table, (0,), other) for other in ("bool", *dtypes.WEAK))
    both = [{(*inputs, node): pair for inputs, pair in seen.items()} for seen in everything]
    if results := _read_off((0, 1), both, narrow):
        yield Claim("fixed", "join", (0,), node, results=results)


def holds(claim: Claim, seen: Observations, narrow: bool = False) -> bool:
    """Whether nothing that was seen contradicts the claim, and it says something about most of it."""
    if claim.strong:
        seen = without_odd(seen)
    if claim.exception:
        seen = {inputs: pair for inputs, pair in seen.items() if set(inputs) != {"bool"}}
    predicted = {inputs: predict(claim, inputs) for inputs in seen}
    known = [inputs for inputs, pair in predicted.items() if pair is not None]
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
        case "table":
            return _put_through(claim.results, joined(picked))
        case "binary":
            return joined(picked, claim.table)
        case "fixed":
            pair = tables.binary(claim.table)[claim.other, picked[0]]
            return _put_through(claim.results, pair) if claim.results else pair
    return None


def joined(picked: Inputs, last: str = "join") -> Pair | None:
    """The join of all but the last, with the last by the table `last`, without and with 64-bit types."""
    pair: Pair | None = (picked[0], picked[0])
    for index, node in enumerate(picked[1:], 2):
        table = tables.binary(last if index == len(picked) else "join")
        pair = _each_mode(pair, functools.partial(_beside, table, node))
    return pair


def _beside(table: tables.Binary, second: str, first: str) -> Pair | None:
    return table.get((first, second))


def _put_through(results: Results, pair: Pair | None) -> Pair | None:
    return _each_mode(pair, dict(results).get)


def _each_mode(pair: Pair | None, table: Callable[[str], Pair | None]) -> Pair | None:
    """What a table gives for the results without and with 64-bit types."""
    if pair is None:
        return None
    off, on = table(pair[0]), table(pair[1])
    return None if off is None or on is None else (off[0], on[1])


_CONSTANTS: dict[str, Pair] = {alias: pair for pair, alias in tables.DEFAULTS.items()}


def _agree(inputs: Inputs, predicted: Pair | None, seen: Pair, narrow: bool = False) -> bool:
    """With 64-bit types switched off there are no 64-bit arrays: what they would give does not count."""
    if predicted is None:
        return False
    if "?" in predicted:
        return True
    return all(predicted[mode] == seen[mode] for mode in _modes(inputs, narrow))


def only_wide(inputs: Inputs) -> bool:
    """Whether a call counts with 64-bit types switched on alone: it has such arrays, or mixes strong dtypes.

    How those mix is the same in both modes but for the table of joins, which is known for both; a weak type has another
    default in each.
    """
    return wide(inputs) or (len(set(inputs)) > 1 and not set(inputs) & set(dtypes.WEAK))


def wide(inputs: Inputs) -> bool:
    """Whether a call has 64-bit arrays."""
    return any(node in dtypes.TO_32_BITS for node in inputs)


def _candidates(seen: Observations, narrow: bool) -> Iterator[Claim]:
    """The claims that need no table of their own, the most specific first."""
    arity = len(next(iter(seen)))
    yield from _constants(seen, narrow)
    yield from (Claim("same", "", (index,)) for index in range(arity))
    arguments: list[tuple[int, ...]] = [*itertools.permutations(range(arity), 2)]
    arguments += [tuple(range(count)) for count in range(3, arity + 1)]
    yield from (Claim("binary", table, used) for table in BINARY for used in arguments)


def _constants(seen: Observations, narrow: bool) -> Iterator[Claim]:
    pairs = {pair for inputs, pair in seen.items() if not only_wide(inputs)}
    if len(pairs) == 1:
        pair = next(iter(pairs))
        if not narrow and pair in tables.DEFAULTS:
            yield Claim("constant", tables.DEFAULTS[pair])
        elif pair[0] == pair[1] and pair[0] in (*dtypes.DTYPES, *dtypes.WEAK):
            yield Claim("constant", pair[0])


# tables that are read off


def _through_joins(everything: Sequence[Observations], narrow: bool) -> Iterator[Claim]:
    """The claims that the join of some arguments decides, with what each join was seen to give."""
    arity = len(next(iter(everything[0])))
    for count in range(1, arity + 1):
        for used in itertools.combinations(range(arity), count):
            if results := _read_off(used, everything, narrow):
                yield Claim("table", "", used, results=results)


def _read_off(used: tuple[int, ...], everything: Sequence[Observations], narrow: bool) -> Results:
    """What each join of the arguments `used` gives; nothing where that does not decide."""
    seen: tuple[dict[str, set[str]], ...] = ({}, {})
    for each in everything:
        for inputs, pair in each.items():
            join = joined(tuple(inputs[index] for index in used))
            for mode in _modes(inputs, narrow):
                if join is not None:
                    seen[mode].setdefault(join[mode], set()).add(pair[mode])
    off, on = seen
    results = {
        node: (off.get(node, on.get(node, set())), on.get(node, off.get(node, set())))
        for node in {**off, **on}
    }
    undecided = [node for node, pair in results.items() if max(map(len, pair)) > 1]
    if set(undecided) - set(ODD) or set(results) <= set(undecided):
        return ()
    return tuple(
        (node, OPEN if node in undecided else (min(results[node][0]), min(results[node][1])))
        for node in tables.nodes()
        if node in results
    )


def _modes(inputs: Inputs, narrow: bool) -> tuple[int, ...]:
    if narrow:
        return () if only_wide(inputs) else (0,)
    return (1,) if only_wide(inputs) else (0, 1)
