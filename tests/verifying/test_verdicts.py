"""Wrong annotations are found, with the smallest sizes; right ones are not called wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jaxtyping_core.verifying.report import chosen
from jaxtyping_core.verifying.verdicts import Answer, Verdict, Verification

PROGRAMS = Path(__file__).parent / "programs"


def said(name: str) -> dict[int, str]:
    """What the comments of a program say of the functions below them, by line."""
    comments: dict[int, str] = {}
    lines = (PROGRAMS / f"{name}.py").read_text().splitlines()
    for place, line in enumerate(lines):
        comment = re.match(r" *# (.*)", line)
        if comment:
            below = (number for number, text in enumerate(lines[place:], place + 1) if "def " in text)
            comments[next(below)] = comment[1]
    return comments


def verdicts(name: str) -> dict[int, Verdict]:
    results = [Verification(subject).verdict() for subject in chosen(str(PROGRAMS / f"{name}.py"))]
    return {verdict.subject.line: verdict for verdict in results}


@pytest.fixture(scope="module")
def wrong() -> dict[int, Verdict]:
    return verdicts("wrong")


@pytest.fixture(scope="module")
def right() -> dict[int, Verdict]:
    return verdicts("right")


def test_there_are_enough(wrong: dict[int, Verdict]) -> None:
    assert wrong.keys() == said("wrong").keys()
    assert len(wrong) >= 30


@pytest.mark.parametrize(("line", "expected"), said("wrong").items())
def test_mistakes_are_found(line: int, expected: str, wrong: dict[int, Verdict]) -> None:
    assert wrong[line].answer is Answer.CONTRADICTED, wrong[line].reason
    assert expected in wrong[line].reason


@pytest.mark.parametrize(("line", "expected"), said("right").items())
def test_right_functions(line: int, expected: str, right: dict[int, Verdict]) -> None:
    answer, _, reason = expected.partition(": ")
    assert right[line].answer.value in answer.split(" or "), right[line].reason
    assert answer != "not checked" or reason in right[line].reason
