"""The engine alone knows of functions that declare their arrays what mypy with the plugin infers in them.

It may know more. What it knows less is listed in ``engine_alone.toml``, by the reason, and so is where the plugin is wrong.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "lsp"), str(TESTS / "programs")]

import sweeps
from annotated.engine_alone import DIFFERENT, LOSSES, Finding, findings
from frozen.freeze import frozen

pytestmark = pytest.mark.one_python  # frozen under one version of JAX
ROWS = tomllib.loads(Path(__file__).with_name("engine_alone.toml").read_text(encoding="utf-8"))
#: The places at which less is known.
LOST = [where for row in ROWS["loss"] for where in row["where"]]
#: The places at which the plugin is wrong.
WRONG = [where for row in ROWS["different"] for where in row["where"]]
#: How many of all places may be lost.
MOST = 0.02


def test_as_much_as_the_plugin() -> None:
    tried = sweeps.some("frozen", [*frozen("plugin", "annotated")])
    seen = {finding.where: finding for finding in findings(tried)}
    unlisted = [_shown(seen[where]) for where in seen if not _is_listed(seen[where])]
    assert not unlisted, "\n".join(unlisted)
    files = {f"{name}.py" for name in tried}
    gone = [
        where
        for where in (*LOST, *WRONG)
        if where.partition(":")[0] in files and not _is_less(seen.get(where))
    ]
    assert not gone, f"no longer less, so not to be listed: {', '.join(gone)}"


def _is_less(finding: Finding | None) -> bool:
    return finding is not None and finding.kind in (DIFFERENT, *LOSSES)


def _is_listed(finding: Finding) -> bool:
    if finding.kind == DIFFERENT:
        return finding.where in WRONG
    return finding.kind not in LOSSES or finding.where in LOST


def _shown(finding: Finding) -> str:
    return f"{finding.where}: {finding.kind}: the plugin {finding.plugin}, the engine {finding.engine}"


def test_few_places_are_lost() -> None:
    places = sum(len(said.places) for said in frozen("plugin", "annotated").values())
    assert len(LOST) == len({*LOST}) <= MOST * places
    assert all(row["reason"].strip() for rows in ROWS.values() for row in rows)
