"""The engine alone knows of functions that declare their arrays what mypy with the plugin infers in them.

It may know more. What it knows less is listed in ``engine_alone.toml``, by the reason; nothing may be different.
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
ROWS = tomllib.loads(Path(__file__).with_name("engine_alone.toml").read_text(encoding="utf-8"))["loss"]
#: The places at which less is known, with the reasons.
LISTED = {where: row["reason"] for row in ROWS for where in row["where"]}
#: What of all places may be listed; it only becomes less.
MOST = 0.20


def test_as_much_as_the_plugin() -> None:
    tried = sweeps.some("frozen", [*frozen("plugin", "annotated")])
    wrong = [finding for finding in findings(tried) if finding.kind in (DIFFERENT, *LOSSES)]
    unlisted = [_shown(finding) for finding in wrong if finding.where not in LISTED]
    assert not unlisted, "\n".join(unlisted)


def _shown(finding: Finding) -> str:
    return f"{finding.where}: {finding.kind}: the plugin {finding.plugin}, the engine {finding.engine}"


def test_few_places_are_listed() -> None:
    places = sum(len(said.places) for said in frozen("plugin", "annotated").values())
    assert sum(len(row["where"]) for row in ROWS) == len(LISTED) <= MOST * places
    assert all(row["reason"].strip() for row in ROWS)
