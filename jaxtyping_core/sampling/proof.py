"""What samples prove of all arguments: those that are accepted, and those that are refused.

The result that accepted samples have in common may be theirs by chance. A dim of 6 may be 6 because nothing but 6 was tried.
So a part of the result is believed only if the samples differed in what that part may follow from.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

#: What something was in each accepted sample: a size, a rank, a dtype.
Column = Sequence[Any]


class Known(NamedTuple):
    """What a call returns for all arguments."""

    value: Any


class Rejected(NamedTuple):
    """A call that is refused, and the words; with `for_all`, it is refused for all arguments and not only for the samples."""

    words: str
    for_all: bool


class Unknown(NamedTuple):
    """Nothing is certain of a call."""

    reason: str


class Evidence(NamedTuple):
    """The accepted samples of a call.

    Attributes:
        accepted: how many there are.
        fewest: how many prove something.
        sizes: a column for each unknown size, or for what else the sizes of the result may follow from.
        expected: sizes that known dims have: where an unknown dim must be equal to one of them, it has that size.
        untried_expected: whether some of them were left out: a dim that had one in all samples may have another one.
        is_searched: whether sizes that no dim is known to have were tried for all unknown dims at once, and those around
            an accepted sample one by one. What was refused then is refused because the expected size is the only one.
        untried_sizes: whether sizes were left out that may give something else.
        largest: for each unknown rank, whether it was the largest one that was tried.
        untried_ranks: whether ranks were left out, or could not be decided.
        dtypes: a column for each part of the call, where the dtype of the result may follow from each of them.
        ranks: the same of ranks.
    """

    accepted: int
    fewest: int = 1
    sizes: Sequence[Column] = ()
    expected: Collection[Any] = ()
    untried_expected: bool = False
    is_searched: bool = False
    untried_sizes: bool = False
    largest: Sequence[Column] = ()
    untried_ranks: bool = False
    dtypes: Sequence[Column] = ()
    ranks: Sequence[Column] = ()


class Proof(NamedTuple):
    """Which parts of the common result of accepted samples hold for all arguments.

    Attributes:
        dtype: whether the dtype does.
        rank: whether the number of dims does.
        sizes: whether the sizes do.
        unvaried: sizes that an unknown dim had in all samples: a dim of the result that has one may be any other, and so may one
            that no known dim has, which may be computed from it.
        expected: sizes that known dims have.
    """

    dtype: bool = True
    rank: bool = True
    sizes: bool = True
    unvaried: frozenset[Any] = frozenset()
    expected: frozenset[Any] = frozenset()

    @property
    def has_values(self) -> bool:
        """Whether values in a result hold that are no arrays, such as numbers: they may follow from any shape."""
        return self.rank and self.sizes

    def dims(self, dims: Sequence[Any] | None) -> tuple[Any, ...] | None:
        """What holds of the dims of a common result."""
        if dims is None or not self.rank:
            return None
        return tuple(dim if self._holds(dim) else None for dim in dims)

    def _holds(self, dim: Any) -> bool:
        if not self.sizes or dim in self.unvaried:
            return False
        return not self.unvaried or type(dim) is not int or dim in self.expected


#: All of a result holds.
WHOLE = Proof()


def proven(evidence: Evidence) -> Proof | Unknown:
    """What accepted samples prove."""
    if evidence.accepted < evidence.fewest:
        return Unknown("too few of the samples are accepted")
    # With as many dims as were tried, more are accepted as well, perhaps.
    rank = not evidence.untried_ranks and not any(map(all, evidence.largest)) and _vary(evidence.ranks)
    constant = [column[0] for column in evidence.sizes if not varies(column, evidence.expected)]
    # What one size gives follows from it, perhaps.
    of_one = bool(evidence.sizes) and len(constant) == len(evidence.sizes) and not evidence.is_searched
    unvaried = frozenset(size for size in constant if not _is_required(size, constant, evidence))
    sizes = not of_one and not evidence.untried_sizes
    expected = frozenset(evidence.expected if unvaried else ())
    return Proof(_vary(evidence.dtypes), rank, sizes, unvaried, expected)


def varies(column: Column, expected: Collection[Any] = ()) -> bool:
    """Whether something differed from sample to sample. Beside sizes, what has none does not count.

    Sizes are ints, and the symbols that known dims have.
    """
    sizes = {size for size in column if type(size) is int or size in expected}
    return len(sizes or {*column}) > 1


def _vary(columns: Sequence[Column]) -> bool:
    return all(len({*column}) > 1 for column in columns)


def _is_required(size: Any, constant: Sequence[Any], evidence: Evidence) -> bool:
    """Whether an unknown dim must have a size because a known one has it.

    If several dims were searched together and had one size, they may have to be equal to each other, and not to that.
    """
    if evidence.untried_expected or size not in evidence.expected:
        return False
    return not (evidence.is_searched and constant.count(size) > 1)


def rejected(words: Iterable[str | None]) -> Rejected | Unknown:
    """What refused samples prove, which stand for all arguments: the call is refused if all are, in the same words.

    `words` are those of each sample; None is one that is accepted, or not decided. No more are taken than are needed.
    """
    same: set[str] = set()
    for each in words:
        if each is None:
            return Unknown("some samples are not refused")
        same.add(each)
        if len(same) > 1:
            return Unknown("the samples are refused for several reasons")
    return Rejected(same.pop(), for_all=True) if same else Unknown("there are no samples")
