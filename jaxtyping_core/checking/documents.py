"""Formats that are one document: SARIF 2.1.0, and the code quality report of GitLab."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jaxtyping_core import __version__
from jaxtyping_core.checking.fingerprints import Texts, fingerprints
from jaxtyping_core.checking.formats import Diagnostic, Related, in_workspace
from jaxtyping_core.evaluation.protocol import CODES, OWN_CODES
from jaxtyping_core.pages import CODES as PAGES
from jaxtyping_core.pages import DOCS, page, summary_of_code
from jaxtyping_core.severities import UNUSED

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
#: The levels of SARIF and the severities of GitLab; notes come from mypy.
LEVELS = {"error": "error", "warning": "warning", "info": "note", "note": "note"}
SEVERITIES = {"error": "major", "warning": "minor", "info": "info", "note": "info"}
#: Where mypy explains its codes.
MYPY = "https://mypy.readthedocs.io/en/stable/_refs.html#code-{code}"
#: Codes that mypy has too, and that the list of our codes explains.
LISTED = ("syntax", UNUSED, *CODES.values())


def sarif(diagnostics: Sequence[Diagnostic]) -> str:
    """A log of SARIF with one run, which GitHub and others show as alerts."""
    texts = Texts()
    codes = [*dict.fromkeys(each.code for each in diagnostics if each.code)]
    results = [
        {
            **({"ruleId": each.code, "ruleIndex": codes.index(each.code)} if each.code else {}),
            "level": LEVELS[each.severity],
            "message": {"text": each.whole},
            "locations": [{"physicalLocation": _location(each, texts)}],
            **({"relatedLocations": [*map(_related, each.related)]} if each.related else {}),
            "partialFingerprints": {"jaxtypingCore/v1": fingerprint},
        }
        for each, fingerprint in zip(diagnostics, fingerprints(diagnostics, texts), strict=True)
    ]
    driver = {
        "name": "jaxtyping-core",
        "version": __version__,
        "informationUri": DOCS,
        "rules": [*map(_rule, codes)],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def gitlab(diagnostics: Sequence[Diagnostic]) -> str:
    """A report that GitLab shows in merge requests."""
    texts = Texts()
    return json.dumps(
        [
            {
                "description": each.whole,
                "check_name": each.code or "jaxtyping-core",
                "fingerprint": fingerprint,
                "severity": SEVERITIES[each.severity],
                "location": {
                    "path": in_workspace(each.file),
                    "lines": {"begin": each.line or 1, "end": each.end_line or each.line or 1},
                },
            }
            for each, fingerprint in zip(diagnostics, fingerprints(diagnostics, texts), strict=True)
        ],
        indent=2,
    )


def _rule(code: str) -> dict[str, Any]:
    """What SARIF says of a code: where it is explained, and what it means if a page of ours is installed."""
    summary = summary_of_code(code)
    return {
        "id": code,
        **({"shortDescription": {"text": summary}} if summary else {}),
        "helpUri": _address(code),
    }


def _address(code: str) -> str:
    if code in OWN_CODES:
        return page(f"{PAGES}/{code}")
    return page(PAGES) if code in LISTED else MYPY.format(code=code)


def _location(diagnostic: Diagnostic, texts: Texts) -> dict[str, Any]:
    """Where a finding is. Columns count characters, and the end is behind the last one."""
    place = _file(diagnostic.file)
    if not diagnostic.line:
        return {"artifactLocation": place}
    numbers = {
        "startLine": diagnostic.line,
        "startColumn": _characters(texts.line(diagnostic.file, diagnostic.line), diagnostic.column, 1),
        "endLine": diagnostic.end_line,
        "endColumn": _characters(
            texts.line(diagnostic.file, diagnostic.end_line), diagnostic.end_column, 0, 1
        ),
    }
    return {"artifactLocation": place, "region": {name: number for name, number in numbers.items() if number}}


def _related(related: Related) -> dict[str, Any]:
    """Another line that a finding has to do with."""
    place = {"artifactLocation": _file(related.file), "region": {"startLine": related.line}}
    return {"physicalLocation": place, "message": {"text": related.text}}


def _file(file: str) -> dict[str, str]:
    path = in_workspace(file)
    if Path(path).is_absolute():
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(path), "uriBaseId": "%SRCROOT%"}


def _characters(line: str, column: int | None, before: int, behind: int = 0) -> int | None:
    """The column of a character, of that of a byte of UTF-8, `before` of which does not count."""
    if column is None:
        return None
    return len(line.encode()[: column - before].decode(errors="ignore")) + before + behind


def statistics(diagnostics: Sequence[Diagnostic]) -> str:
    """How often each code occurs, the most frequent first."""
    counts = Counter(each.code or each.severity for each in diagnostics).most_common()
    width = len(str(max((count for _, count in counts), default=0)))
    return "\n".join(f"{count:>{width}}  {code}" for code, count in counts) or "No findings"


DOCUMENTS: Mapping[str, Callable[[Sequence[Diagnostic]], str]] = {"sarif": sarif, "gitlab": gitlab}
#: What stands for a format where the findings are only counted.
STATISTICS = "statistics"
