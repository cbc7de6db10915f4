"""The judge of frozen claims: what is kept, what is a loss, and what is a difference."""

from __future__ import annotations

import pytest

from frozen.claims import Array, Error, Said, Spot, changes, read, written

SPOT = Spot("a.py", 3, 4, "x")
KNOWN = Array("float32", False, (3, "B"))
ERROR = Error("a.py", 3, "array-shape", "no")
NOTHING = Said({}, frozenset())


def of(array: Array) -> Said:
    return Said({SPOT: array}, frozenset())


@pytest.mark.parametrize(
    ("before", "now", "is_loss"),
    [
        (KNOWN, Array("float32", False, (3, None)), True),
        (KNOWN, Array("float32", None, (3, "B")), True),
        (KNOWN, Array("float32", False, None), True),
        (KNOWN, Array(None, None, (3, "B")), True),
        (KNOWN, Array("bfloat16", False, (3, "B")), False),
        (KNOWN, Array("float32", True, (3, "B")), False),
        (KNOWN, Array("float32", False, (3,)), False),
        (KNOWN, Array("float32", False, (4, "B")), False),
        (KNOWN, Array(None, None, (4, "B")), False),
    ],
)
def test_a_claim_that_is_not_kept(before: Array, now: Array, is_loss: bool) -> None:
    (change,) = changes(of(before), of(now), is_right=True)
    assert change.is_loss is is_loss


@pytest.mark.parametrize("before", [KNOWN, Array("float32", None, None), Array(None, None, (None, "B"))])
def test_a_claim_that_is_kept_or_more_precise(before: Array) -> None:
    assert not [*changes(of(before), of(KNOWN), is_right=True)]
    assert not [*changes(NOTHING, of(KNOWN), is_right=True)]


def test_a_claim_that_is_gone_is_a_loss() -> None:
    (change,) = changes(of(KNOWN), NOTHING, is_right=True)
    assert change.is_loss


def test_errors() -> None:
    before, reworded = Said({}, frozenset({ERROR})), Said({}, frozenset({ERROR._replace(message="not so")}))
    (lost,) = changes(before, NOTHING, is_right=False)
    assert lost.is_loss
    assert [change.is_loss for change in changes(before, reworded, is_right=False)] == [False]
    assert not [*changes(NOTHING, before, is_right=False)]
    assert [change.is_loss for change in changes(NOTHING, before, is_right=True)] == [False]


def test_answers_are_read_as_they_are_written() -> None:
    answers = {
        "a": Said({SPOT: KNOWN, SPOT._replace(line=9): Array(None, None, None)}, frozenset({ERROR})),
        "b": NOTHING,
    }
    assert read(written(answers)) == answers
