"""Which choices for what is unknown in a call need not be tried, after those that were."""

from __future__ import annotations

from ....sampling.calls import Trials
from ....sampling.generalize import Seen
from ....sampling.tables.limits import ENOUGH_DTYPES, ENOUGH_OF_EACH
from ...values import arrays
from .choices import Concretization


class SeenChoices:
    """The choices of a call that were tried, by their dtypes and by their ranks."""

    def __init__(self) -> None:
        self._by_ranks, self._by_sizes = Seen(ENOUGH_DTYPES), Seen(ENOUGH_DTYPES)

    def add(self, choice: Concretization, accepted: bool) -> None:
        """Remember a choice."""
        self._by_ranks.add(choice.dtypes, choice.ranks, accepted)
        self._by_sizes.add(choice.dtypes, (choice.ranks, choice.sizes), accepted)

    def tells_nothing(self, choice: Concretization, trials: Trials) -> bool:
        """Whether a choice would change nothing: those like it are refused, or only dims or only dtypes are left to learn."""
        dtypes, ranks, sizes = choice.dtypes, choice.ranks, (choice.ranks, choice.sizes)
        if not ranks or not trials.accepted:
            return False
        if self._by_sizes.are_refused(dtypes, sizes):
            return True
        known = arrays.known_of(trials.common)
        if known is None or not self._by_sizes.accepted[sizes] or not self._by_ranks.accepted[dtypes]:
            return False
        if known.dtype is None:
            return len(self._by_ranks.accepted[ranks]) >= ENOUGH_DTYPES
        return known.shape is None and len(self._by_ranks.accepted[dtypes]) >= ENOUGH_OF_EACH
