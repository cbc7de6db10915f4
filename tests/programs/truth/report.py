"""What was found, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .claims import Shown
from .programs import Facts, Key, Program
from .verdicts import Answer, Judgement, Verdict

_PARTS = ("dtype", "rank", "shape")


class Finding(NamedTuple):
    """What was found out about a program."""

    program: Program
    facts: Facts
    shown: Shown
    judgement: Judgement


def table(findings: Sequence[Finding]) -> Iterator[str]:
    """A line for each program, and one for all."""
    width = max((len(finding.program.name) for finding in findings), default=0)
    yield f"{'':{width}}  places  dtype/rank/shape known, %  wrong"
    for finding in findings:
        yield _row(finding.program.name, width, finding.judgement.verdicts)
    yield _row("all", width, [verdict for finding in findings for verdict in finding.judgement.verdicts])


def _row(name: str, width: int, verdicts: Sequence[Verdict]) -> str:
    known = "/".join(
        f"{100 * sum(getattr(verdict, part) is Answer.KNOWN for verdict in verdicts) / len(verdicts):.0f}"
        if verdicts
        else "-"
        for part in _PARTS
    )
    return f"{name:{width}}  {len(verdicts):6}  {known:25}  {sum(bool(v.mistakes) for v in verdicts):5}"


def problems(findings: Iterable[Finding]) -> Iterator[str]:
    """What is wrong, a line each: claims, errors on what ran, programs and commands that failed."""
    for finding in findings:
        name = finding.program.name
        if finding.facts.failure:
            yield f"{name}: the program failed: {finding.facts.failure}"
        if finding.shown.failure:
            yield f"{name}: nothing is shown: {finding.shown.failure}"
        for verdict in finding.judgement.verdicts:
            if verdict.mistakes:
                yield f"wrong: {_place(verdict.key)} is {_seen(verdict)}, not {verdict.claim} ({'; '.join(verdict.mistakes)})"
        for key, fact, claim in finding.judgement.no_arrays:
            kinds = ", ".join((*fact.others, *(["arrays"] if fact.arrays else [])))
            yield f"no array: {_place(key)} is of {kinds}, and shown as {claim}"
        yield from (f"refused: {refusal}" for refusal in finding.shown.refusals)


def open_places(findings: Iterable[Finding]) -> Iterator[str]:
    """The places of which not all is known, with their lines of source."""
    for finding in findings:
        lines: dict[Path, list[str]] = {}
        for verdict in finding.judgement.verdicts:
            parts = [part for part in _PARTS if getattr(verdict, part) is Answer.OPEN]
            if parts:
                file, line, *_ = verdict.key
                source = lines.setdefault(file, file.read_text().splitlines())[line - 1].strip()
                yield f"open {'/'.join(parts)}: {_place(verdict.key)} is {_seen(verdict)}: {source}"


def records(findings: Iterable[Finding]) -> str:
    """All of it as JSON."""
    return json.dumps([_record(finding) for finding in findings], indent=1)


def _record(finding: Finding) -> dict[str, Any]:
    return {
        "program": finding.program.name,
        "failure": finding.facts.failure,
        "shown_failure": finding.shown.failure,
        "refusals": finding.shown.refusals,
        "places": [
            {
                "file": str(v.key.file),
                "line": v.key.line,
                "column": v.key.column,
                "name": v.key.name,
                "seen": [str(array) for array in v.fact.arrays],
                "claim": str(v.claim),
                **{part: getattr(v, part).value for part in _PARTS},
                "mistakes": v.mistakes,
            }
            for v in finding.judgement.verdicts
        ],
        "no_arrays": [
            {
                "file": str(key.file),
                "line": key.line,
                "name": key.name,
                "seen": fact.others,
                "claim": str(claim),
            }
            for key, fact, claim in finding.judgement.no_arrays
        ],
    }


def _place(key: Key) -> str:
    return f"{key.file}:{key.line}:{key.column}: {key.name}"


def _seen(verdict: Verdict) -> str:
    """The first arrays that were seen at a place."""
    first = [str(array) for array in verdict.fact.arrays[:3]]
    return " | ".join([*first, *["..."] * (len(verdict.fact.arrays) > len(first))])
