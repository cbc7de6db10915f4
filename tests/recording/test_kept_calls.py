"""Of many calls a few are kept, which show all that varies."""

from __future__ import annotations

from jaxtyping_core.recording.kept import MOST, PLENTY, VALUES, Kept
from jaxtyping_core.recording.observed import Array, Call, Cut, Observed, Scalar


def call(*arguments: Observed, returned: Observed | None = None) -> Call:
    return Call(tuple((f"x{at}", value) for at, value in enumerate(arguments)), returned)


def array(*dims: int) -> Array:
    return Array("float32", dims)


def kept(calls: list[Call]) -> set[Call]:
    keeper = Kept()
    return {counted for counted, is_new in map(keeper.keep, calls) if is_new}


def test_a_few_are_all_kept() -> None:
    calls = [call(array(n, 3), Scalar("int", n)) for n in range(PLENTY)]
    assert kept(calls * 2) == set(calls)


def test_many_are_bounded_and_show_what_varies() -> None:
    steps = [call(array(32, 8), array(32), Scalar("int", n)) for n in range(2000)]
    last = [
        call(array(7, 8), array(7), Scalar("int", 3000)),  # the last batch is a smaller one
        call(array(32, 8), array(31), Scalar("int", 3001)),  # two sizes that were always the same
        call(array(32, 8), array(32), Scalar("float")),
        call(Array("bfloat16", (32, 8)), array(32), Scalar("int", 1)),
        call(array(32, 8), array(32), Scalar("int", 1), returned=Scalar("None")),
    ]
    calls = kept(steps + last)
    assert calls >= set(last)
    assert len(calls) <= PLENTY + VALUES + len(last)


def test_a_call_that_is_not_kept_counts_as_one_of_its_form() -> None:
    keeper = Kept()
    for n in range(PLENTY + VALUES):
        keeper.keep(call(Scalar("int", n)))
    counted, is_new = keeper.keep(call(Scalar("int", 10**6)))
    assert (counted, is_new) == (call(Scalar("int", 0)), False)
    assert keeper.varying() == {"x0"}


def test_there_is_a_limit_and_then_nothing_is_claimed() -> None:
    calls = kept([call(Array(f"dtype{n}", ())) for n in range(2 * MOST)])
    assert len(calls) == MOST + 1
    assert call(Cut(), returned=Cut()) in calls


def test_calls_of_earlier_runs_count() -> None:
    before = [call(Scalar("int", n)) for n in range(PLENTY)]
    keeper = Kept(before)
    assert keeper.keep(before[3]) == (before[3], False)
    assert keeper.full
