"""What is certain of a call whose dtypes, ranks or arguments are drawn, because they are wholly unknown."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ..domain.merging import merge
from ..domain.values import Array, Items, Unknown, Value, inside
from ..evaluation.protocol import Answer
from .calls import Budget, Refused, Trials, Values, abstract_call
from .concretize import Chosen, Draws, is_largest
from .errors import Inconclusive
from .errors import Refused as NotAccepted
from .proof import Evidence, Known, Rejected
from .results import generalized
from .symbols import arrays_in, symbols_of
from .tables.limits import ENOUGH_OF_EACH, FIRST_DRAWS, MOST_REFUSED

#: Why nothing is known of a call that is refused for all draws.
NOTHING_ACCEPTED = "nothing that was tried is accepted"
#: The dtypes of random keys start like this.
KEYS = "key<"
#: The dtypes or the ranks of a draw.
Drawn = tuple[Hashable, ...]


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
    draws: Draws,
    outcome: Callable[[Value], Outcome],
    of_one_size: Callable[[Value], Value | None],
    of_equal_sizes: Callable[[Value], Value],
) -> Answer:
    """What holds whichever draw is the right one; never a refusal, as the right one may not be among them (`refusals`).

    Args:
        draws: what is drawn.
        outcome: what a draw gives, of many sizes.
        of_one_size: what it gives for one choice of sizes, without them; None where that is refused, or undecided.
        of_equal_sizes: the same with these sizes; it raises `errors.Refused` or `Inconclusive`.
    """
    open_result = _of_which_nothing_is_known(draws, of_equal_sizes)
    if open_result is not None:
        return Answer(result=open_result)
    agreement = Agreement(draws, outcome, of_one_size)
    values = Values(joined, generalized, lambda known: isinstance(known, Unknown))
    try:
        answer = abstract_call(agreement.run, agreement.samples, agreement.evidence, values, Budget())
    except Open as reason:
        return Answer(unknown=str(reason))
    if isinstance(answer, Known):
        return Answer(result=answer.value)
    return Answer(unknown=NOTHING_ACCEPTED if isinstance(answer, Rejected) else answer.reason)


def _of_which_nothing_is_known(draws: Draws, of_equal_sizes: Callable[[Value], Value]) -> Value | None:
    """The join of the results of the first draws, if neither dtype nor rank of its arrays is known.

    The first draws differ in both dtype and rank. What these leave open, others with more sizes would leave open, too.
    """
    results: list[Value] = []
    for chosen in itertools.islice(draws.together(), FIRST_DRAWS):
        try:
            results.append(of_equal_sizes(draws.made(chosen)))
        except NotAccepted:
            continue
        except Inconclusive:
            return None
        if len(results) == 1:
            continue
        common = merge(results)
        arrays = arrays_in(common)
        if not arrays or any(array.shape is not None for array in arrays):
            return None
        if says_nothing(common) and all(isinstance(part, (Array, Items)) for part in inside(common)):
            return common
    return None


def joined(a: Value, b: Value) -> Value:
    """What two results have in common."""
    return merge([a, b])


class Agreement:
    """The draws of a call: which are tried, and what those that are accepted prove."""

    def __init__(
        self,
        draws: Draws,
        outcome: Callable[[Value], Outcome],
        of_one_size: Callable[[Value], Value | None],
    ) -> None:
        self.draws = draws
        self.outcome = outcome
        self.of_one_size = of_one_size
        self.trials = Trials()
        self.single = self.of_mixed = False
        self.seen = Seen(enough=ENOUGH_OF_EACH if len(draws.places) == 1 else 1)

    def samples(self, trials: Trials) -> Iterator[Chosen]:
        """The draws that may change what is known."""
        self.trials = trials
        for chosen in self._all():
            if not self.seen.enough(trials.common, dtypes_of(chosen), ranks_of(chosen)):
                yield chosen

    def _all(self) -> Iterator[Chosen]:
        trials, several = self.trials, len(self.draws.places) > 1
        for number, chosen in enumerate(self.draws.together()):
            if several and number >= MOST_REFUSED and not trials.accepted:
                break
            yield chosen
        if not several:
            return
        if not trials.accepted and len(self.draws.places) == 2:
            self.of_mixed = True
            yield from self.draws.mixed()
        for base in trials.accepted[:1]:
            for chosen in self.draws.apart(base):
                if says_nothing(trials.common):
                    return
                yield chosen

    def run(self, chosen: Chosen) -> Value:
        """What a draw gives.

        Raises:
            Refused: it is refused.
            Open: abstract evaluation cannot tell.
        """
        of_keys = _has_keys(chosen) and not _has_keys(self.draws.places)
        result, single, undecided = self._outcome(self.draws.made(chosen), of_keys)
        self.seen.add(dtypes_of(chosen), ranks_of(chosen), result is not None)
        if undecided and not _has_keys(chosen):
            raise Open("abstract evaluation cannot tell")
        if result is None:
            raise Refused
        self.single = self.single or single
        return result

    def _outcome(self, call: Value, of_keys: bool) -> Outcome:
        """What a draw gives; where no sizes are known any more, those of one choice are enough.

        So they are to find out that a call takes no random keys, which most calls do not.
        """
        if of_keys and not symbols_of(call) and self.of_one_size(call) is None:
            return Outcome()
        arrays = arrays_in(self.trials.common) if self.trials.accepted else []
        if arrays and all(array.shape is None for array in arrays):
            result = self.of_one_size(call)
            if result is not None:
                return Outcome(result)
        return self.outcome(call)

    def evidence(self, trials: Trials) -> Evidence:
        """What the accepted draws differed in.

        Where a single one of the sizes is accepted that were tried, it is the ranks that must differ. Of several parts not
        all dtypes and ranks were tried with each other, so that those of each must differ.
        """
        columns = list(zip(*trials.accepted, strict=True))
        of_any_rank = [
            column for place, column in zip(self.draws.places, columns, strict=True) if _of_any_rank(place)
        ]
        apart = columns if self.of_mixed or len(self.draws.places) > 2 else []
        return Evidence(
            len(trials.accepted),
            sizes=[[*map(ranks_of, trials.accepted)]] if self.single else [],
            largest=[[*map(is_largest, column)] for column in of_any_rank],
            dtypes=[[dtypes_of([part]) for part in column] for column in apart],
            ranks=[[ranks_of([part]) for part in column] for column in apart],
        )


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
        if ranks in self.tried[dtypes] or self.are_refused(dtypes, ranks):
            return True
        arrays = [] if known is None else arrays_in(known)
        of_dtypes = not arrays or any(array.dtype is not None for array in arrays)
        of_ranks = not arrays or any(array.shape is not None for array in arrays)
        return (len(self.accepted[dtypes]) >= self.enough_of_each or not of_dtypes) and (
            len(self.accepted[ranks]) >= self.enough_of_each or not of_ranks
        )

    def are_refused(self, dtypes: Drawn, ranks: Drawn) -> bool:
        """Whether a draw of these dtypes and ranks is certainly refused."""
        return self._are_refused(ranks) or self._are_refused(dtypes)

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


def dtypes_of(chosen: Sequence[Value]) -> Drawn:
    """The dtypes of a draw, with everything in it that is no array."""
    return tuple(f"{part.dtype} {part.weak}" if isinstance(part, Array) else repr(part) for part in chosen)


def ranks_of(chosen: Sequence[Value]) -> Drawn:
    """The ranks of a draw, with everything in it that is no array."""
    return tuple(len(part.shape or ()) if isinstance(part, Array) else repr(part) for part in chosen)


def says_nothing(result: Value) -> bool:
    """Whether of each part of a result nothing is known."""
    if isinstance(result, Items) and result.items:
        return all(map(says_nothing, result.items))
    if isinstance(result, Array):
        return result.dtype is None and result.shape is None
    return isinstance(result, Unknown)
