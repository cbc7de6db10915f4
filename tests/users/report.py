"""What the checkers say of each program, as a table.

`PYTHONPATH=tests:tests/programs python -m users.report [PROGRAM ...]` prints it.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import checkers
from conformance.verdict import Answer
from users.claims import Claim
from users.judge import CHECKERS, MISTAKES, PROGRAMS, Findings


def _counts(claims: list[Claim]) -> list[int]:
    """The places, those with known dtype, rank and shape, and the wrong ones."""
    known = [
        sum(answer is Answer.EXACT for answer in column)
        for column in zip(*(claim.answers for claim in claims), strict=True)
    ]
    return [len(claims), *known, sum(claim.is_wrong for claim in claims)]


def _row(findings: Findings, name: str) -> list[str]:
    counts = map(str, _counts(findings.claims[name]))
    said = (
        f"{len(findings.false_errors(checker, name))} {'found' if findings.reported(checker, name) else 'missed'}"
        for checker in CHECKERS
    )
    return [name, *counts, *said]


def _sums(findings: Findings) -> list[str]:
    counts = map(str, _counts([claim for claims in findings.claims.values() for claim in claims]))
    said = (
        f"{sum(len(findings.false_errors(checker, name)) for name in findings.names)},"
        f" {sum(findings.reported(checker, name) for name in findings.names)} of {len(findings.names)} found"
        for checker in CHECKERS
    )
    return ["all", *counts, *said]


def _problems(findings: Findings) -> Iterator[str]:
    """What falls short, a line each."""
    for name in findings.names:
        for checker in CHECKERS:
            for error in findings.false_errors(checker, name):
                yield f"false error of {checker}: {name}.py:{error.line}: {error.message}"
        yield from (f"wrong: {name}.py:{claim}" for claim in findings.claims[name] if claim.is_wrong)
        failed = findings.failures[name]
        if failed is None:
            yield f"{name}.py runs with the mistake"
        elif not findings.reported(checkers.PLUGIN, name):
            said = str(failed.error).strip().split("\n")[0]
            yield f"missed: {name}.py:{sorted(MISTAKES[name].lines(failed))}: {said}"
            for error in findings.elsewhere(checkers.PLUGIN, name):
                yield f"    reported elsewhere: {error.line}: {error.message}"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        findings = Findings(Path(folder), sys.argv[1:] or PROGRAMS)
    titles = ["program", "places", "dtype", "rank", "shape", "wrong", *CHECKERS]
    rows = [
        titles,
        ["---"] * len(titles),
        *(_row(findings, name) for name in findings.names),
        _sums(findings),
    ]
    print("\n".join(f"| {' | '.join(row)} |" for row in rows))
    print(*_problems(findings), sep="\n")


if __name__ == "__main__":
    main()
