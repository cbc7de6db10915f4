"""What samples prove of all arguments."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import pytest

from jaxtyping_core.sampling.calls import (
    AND_OTHERS,
    Budget,
    Refused,
    Trials,
    Values,
    abstract_call,
    diverse_first,
)
from jaxtyping_core.sampling.proof import (
    WHOLE,
    Evidence,
    Known,
    Proof,
    Rejected,
    Unknown,
    proven,
    rejected,
)

FIVE = frozenset({5})


@pytest.mark.parametrize(
    ("evidence", "proof"),
    [
        # nothing was unknown that a result may follow from
        (Evidence(1), WHOLE),
        # one size says nothing of others, whichever it is
        (Evidence(1, sizes=[[6]]), Proof(sizes=False, unvaried=frozenset({6}))),
        (Evidence(3, sizes=[[6, 6, 6]]), Proof(sizes=False, unvaried=frozenset({6}))),
        (Evidence(1, sizes=[[5]], expected=[5]), Proof(sizes=False)),
        (Evidence(2, sizes=[[6, 1]]), WHOLE),
        # beside sizes, what has none does not count
        (Evidence(2, sizes=[[6, "scalar"]]), Proof(sizes=False, unvaried=frozenset({6}))),
        (Evidence(2, sizes=[["scalar", "None"]]), WHOLE),
        # the symbols of known dims are sizes
        (Evidence(3, sizes=[["D", "H", 1], ["D", "D", "D"]], expected=["D", "H"]), WHOLE),
        # a dim that is the same in all samples is that of another one, or any
        (Evidence(2, sizes=[[6, 1], [5, 5]], expected=[5]), WHOLE),
        (Evidence(2, sizes=[[6, 1], [1, 1]], expected=[5]), Proof(unvaried=frozenset({1}), expected=FIVE)),
        (
            Evidence(2, sizes=[[6, 1], [5, 5]], expected=[5], untried_expected=True),
            Proof(unvaried=FIVE, expected=FIVE),
        ),
        # where others were tried and refused, the only size is the right one, if it is not that of several
        (Evidence(1, sizes=[[5]], expected=[5], is_searched=True), WHOLE),
        (
            Evidence(1, sizes=[[7]], expected=[5], is_searched=True),
            Proof(unvaried=frozenset({7}), expected=FIVE),
        ),
        (Evidence(1, sizes=[[5], [5]], expected=[5], is_searched=True), Proof(unvaried=FIVE, expected=FIVE)),
        # with as many dims as were tried, more are accepted as well, perhaps
        (Evidence(2, largest=[[True, True]]), Proof(rank=False)),
        (Evidence(2, largest=[[True, False]]), WHOLE),
        # what was left out
        (Evidence(2, untried_ranks=True), Proof(rank=False)),
        (Evidence(2, untried_sizes=True), Proof(sizes=False)),
        # of several parts, those of each must differ
        (Evidence(2, dtypes=[["float32", "int32"], ["bool", "bool"]]), Proof(dtype=False)),
        (Evidence(2, ranks=[[1, 2], [0, 0]]), Proof(rank=False)),
    ],
)
def test_accepted_samples(evidence: Evidence, proof: Proof) -> None:
    assert proven(evidence) == proof


def test_too_few_samples_prove_nothing() -> None:
    assert isinstance(proven(Evidence(3, fewest=4)), Unknown)
    assert proven(Evidence(4, fewest=4)) == WHOLE


def test_refused_samples() -> None:
    assert rejected(["rank", "rank"]) == Rejected("rank", for_all=True)
    assert isinstance(rejected(["rank", "dtype"]), Unknown)
    assert isinstance(rejected(["rank", None]), Unknown)
    assert isinstance(rejected([]), Unknown)


def test_no_more_refusals_are_looked_at_than_tell() -> None:
    def words() -> Iterator[str | None]:
        yield "rank"
        yield None
        raise AssertionError

    assert isinstance(rejected(words()), Unknown)


def test_what_a_proof_leaves_of_dims() -> None:
    assert WHOLE.dims((6, "B")) == (6, "B")
    unvaried = Proof(unvaried=frozenset({6}), expected=FIVE)
    assert unvaried.dims((6, 5, "B")) == (None, 5, "B")
    assert unvaried.dims((12,)) == (None,)  # it may be twice that
    assert Proof(sizes=False).dims((6, 5)) == (None, None)
    assert Proof(rank=False).dims((6, 5)) is None
    assert not Proof(rank=False).has_values


#: Sets of numbers: a result that may be any of several.
SETS = Values(
    lambda a, b: a | b, lambda value, proof: value if proof == WHOLE else None, lambda value: len(value) > 3
)


#: No limit to the samples.
UNLIMITED = Budget()


def call(samples: Sequence[object], budget: Budget = UNLIMITED, fewest: int = 1) -> tuple[object, list[int]]:
    """The answer for a call that takes no odd numbers, and what was tried."""
    tried: list[int] = []

    def run(sample: int) -> set[int]:
        tried.append(sample)
        if sample % 2:
            raise Refused("odd")
        return {sample}

    def evidence(trials: Trials) -> Evidence:
        return Evidence(len(trials.accepted), fewest)

    return abstract_call(run, lambda _: samples, evidence, SETS, budget), tried


def test_accepted_results_are_joined() -> None:
    assert call([1, 2, 3, 4])[0] == Known({2, 4})
    assert isinstance(call([2], fewest=2)[0], Unknown)


def test_the_first_samples_have_every_item() -> None:
    few, others = diverse_first("abc", (1, 2), (True,))
    assert few == [("a", 1, True), ("b", 2, True), ("c", 1, True)]
    assert {*few, *others} == {*itertools.product("abc", (1, 2), (True,))}
    assert [*diverse_first("a", (1,))[1]] == []


def test_a_call_that_is_refused_for_all_samples() -> None:
    assert call([1, 3]) == (Rejected("odd", for_all=False), [1, 3])


def test_the_budget() -> None:
    answer, tried = call([2, 4, 6], Budget(samples=2))
    assert isinstance(answer, Unknown)
    assert tried == [2, 4]
    assert call([1, 3, 5, 2], Budget(alike=2)) == (Rejected("odd", for_all=False), [1, 3])
    answer, tried = call([1, 2, 4], Budget(is_spent=lambda is_accepted: is_accepted))
    assert isinstance(answer, Unknown)
    assert tried == [1, 2]


def test_samples_that_are_not_all_there_are_prove_nothing() -> None:
    answer, tried = call([2, 4, AND_OTHERS])
    assert isinstance(answer, Unknown)
    assert tried == [2, 4]


def test_no_more_is_tried_when_the_results_have_nothing_in_common() -> None:
    answer, tried = call([0, 2, 4, 6, 8])
    assert isinstance(answer, Unknown)
    assert tried == [0, 2, 4, 6]
