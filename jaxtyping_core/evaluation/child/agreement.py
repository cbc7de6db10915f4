"""What is certain of a call whose dtypes, ranks or arguments are drawn, because they are wholly unknown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from ...sampling.tables import ENOUGH_OF_EACH, MOST_REFUSED
from ..merging import merge
from ..protocol import Answer
from ..values import Array, Items, Unknown, Value, transform
from .draws import Chosen, Draws, is_largest
from .results import without_sizes
from .symbols import arrays_in, symbols_of

#: Why nothing is known of a call that is refused for all draws.
NOTHING_ACCEPTED = "nothing that was tried is accepted"
#: The dtypes of random keys start like this.
KEYS = "key<"
#: The dtypes or the ranks of a draw.
Drawn = tuple[int | str, ...]


class Outcome(NamedTuple):
    """What a draw gives: `result` is None where JAX refuses it, or abstract evaluation cannot tell (`undecided`).

    `single`: only one of the sizes is accepted that were tried for unknown dims.
    """

    result: Value | None = None
    single: bool = False
    undecided: bool = False


class Open(Exception):
    """Nothing is certain."""


def of_draws(
    draws: Draws, outcome: Callable[[Value], Outcome], of_one_size: Callable[[Value], Value | None]
) -> Answer:
    """What holds whichever draw is the right one; never a refusal, as the right one may not be among them (`refusals`).

    Args:
        draws: what is drawn.
        outcome: what a draw gives, of many sizes.
        of_one_size: what it gives for one choice of sizes, without them; None where that is refused, or undecided.
    """
    agreement = Agreement(draws, outcome, of_one_size)
    try:
        agreement.find()
    except Open as reason:
        return Answer(unknown=str(reason))
    if agreement.known is None:
        return Answer(unknown=NOTHING_ACCEPTED)
    return Answer(result=agreement.certain(agreement.known))


class Agreement:
    """What the draws have in common that were accepted so far."""

    def __init__(
        self,
        draws: Draws,
        outcome: Callable[[Value], Outcome],
        of_one_size: Callable[[Value], Value | None],
    ) -> None:
        self.draws = draws
        self.outcome = outcome
        self.of_one_size = of_one_size
        self.known: Value | None = None
        self.accepted: list[Chosen] = []
        self.single = self.of_mixed = False
        self.seen = Seen(enough=ENOUGH_OF_EACH if len(draws.places) == 1 else 1)

    def find(self) -> None:
        """Try the draws.

        Raises:
            Open: nothing is certain.
        """
        several = len(self.draws.places) > 1
        for number, chosen in enumerate(self.draws.together()):
            if several and number >= MOST_REFUSED and not self.accepted:
                break
            self.add(chosen)
        if not several:
            return
        if not self.accepted and len(self.draws.places) == 2:
            self.of_mixed = True
            for chosen in self.draws.mixed():
                self.add(chosen)
        for base in self.accepted[:1]:
            for chosen in self.draws.apart(base):
                if self.known is not None and says_nothing(self.known):
                    return
                self.add(chosen)

    def add(self, chosen: Chosen) -> None:
        """Try a draw, unless it would change nothing."""
        dtypes, ranks = dtypes_of(chosen), ranks_of(chosen)
        if self.seen.enough(self.known, dtypes, ranks):
            return
        of_keys = _has_keys(chosen) and not _has_keys(self.draws.places)
        result, single, undecided = self._outcome(self.draws.made(chosen), of_keys)
        self.seen.add(dtypes, ranks, result is not None)
        if undecided and not _has_keys(chosen):
            raise Open("abstract evaluation cannot tell")
        if result is None:
            return
        self.single = self.single or single
        self.accepted.append(chosen)
        self.known = result if self.known is None else merge([self.known, result])
        if isinstance(self.known, Unknown):
            raise Open("it depends on what is not known")

    def _outcome(self, call: Value, of_keys: bool) -> Outcome:
        """What a draw gives; where no sizes are known any more, those of one choice are enough.

        So they are to find out that a call takes no random keys, which most calls do not.
        """
        if of_keys and not symbols_of(call) and self.of_one_size(call) is None:
            return Outcome()
        arrays = [] if self.known is None else arrays_in(self.known)
        if arrays and all(array.shape is None for array in arrays):
            result = self.of_one_size(call)
            if result is not None:
                return Outcome(result)
        return self.outcome(call)

    def certain(self, known: Value) -> Value:
        """What of all that is `known` there is enough to tell.

        Other sizes may give others, where a single one is accepted of those that were tried, and for one rank; and so
        may other dtypes and ranks where one alone is accepted in a place and not all were tried beside the others, or
        where that is the largest rank of those that were tried.
        """
        columns = list(zip(*self.accepted, strict=True))
        places = zip(self.draws.places, columns, strict=True)
        if any(_of_any_rank(place) and all(map(is_largest, column)) for place, column in places):
            known = without(known, dtypes=False)
        if self.single and len(set(map(ranks_of, self.accepted))) < 2:
            known = without_sizes(known)
        if not self.of_mixed and len(self.draws.places) < 3:
            return known
        if not all(len(set(dtypes_of(column))) > 1 for column in columns):
            known = without(known, dtypes=True)
        if not all(len(set(ranks_of(column))) > 1 for column in columns):
            known = without(known, dtypes=False)
        return known


class Seen:
    """The draws that were tried, by their dtypes and by their ranks."""

    def __init__(self, enough: int) -> None:
        self.enough_of_each = enough
        self.tried: dict[Drawn, set[Drawn]] = defaultdict(set)
        self.accepted: dict[Drawn, set[Drawn]] = defaultdict(set)

    def add(self, dtypes: Drawn, ranks: Drawn, accepted: bool) -> None:
        """Remember a draw, under its dtypes and its ranks, each with the other."""
        for seen in [self.tried, self.accepted] if accepted else [self.tried]:
            seen[dtypes].add(ranks)
            seen[ranks].add(dtypes)

    def enough(self, known: Value | None, dtypes: Drawn, ranks: Drawn) -> bool:
        """Whether a draw of these dtypes and ranks would change nothing that is `known`."""
        if ranks in self.tried[dtypes] or self._are_refused(ranks) or self._are_refused(dtypes):
            return True
        arrays = [] if known is None else arrays_in(known)
        of_dtypes = not arrays or any(array.dtype is not None for array in arrays)
        of_ranks = not arrays or any(array.shape is not None for array in arrays)
        return (len(self.accepted[dtypes]) >= self.enough_of_each or not of_dtypes) and (
            len(self.accepted[ranks]) >= self.enough_of_each or not of_ranks
        )

    def _are_refused(self, drawn: Drawn) -> bool:
        """Whether these dtypes, or ranks, are what is refused: with what they were tried is accepted with others."""
        if len(self.tried[drawn]) < ENOUGH_OF_EACH or self.accepted[drawn]:
            return False
        return sum(bool(self.accepted[other]) for other in self.tried[drawn]) >= ENOUGH_OF_EACH


def _of_any_rank(place: Value) -> bool:
    return not isinstance(place, Array) or place.shape is None


def _has_keys(parts: Iterable[Value]) -> bool:
    """Whether there is an array of random keys among some parts of a call."""
    return any(isinstance(part, Array) and str(part.dtype).startswith(KEYS) for part in parts)


def dtypes_of(chosen: Chosen) -> Drawn:
    """The dtypes of a draw, with everything in it that is no array."""
    return tuple(f"{part.dtype} {part.weak}" if isinstance(part, Array) else repr(part) for part in chosen)


def ranks_of(chosen: Chosen) -> Drawn:
    """The ranks of a draw, with everything in it that is no array."""
    return tuple(len(part.shape or ()) if isinstance(part, Array) else repr(part) for part in chosen)


def without(known: Value, dtypes: bool) -> Value:
    """A result without the dtypes, or without the shapes, of its arrays."""

    def change(part: Value) -> Value:
        if not isinstance(part, Array):
            return part
        return part.with_dtype(None, False) if dtypes else replace(part, shape=None)

    return transform(known, change)


def says_nothing(result: Value) -> bool:
    """Whether of each part of a result nothing is known."""
    if isinstance(result, Items) and result.items:
        return all(map(says_nothing, result.items))
    if isinstance(result, Array):
        return result.dtype is None and result.shape is None
    return isinstance(result, Unknown)
