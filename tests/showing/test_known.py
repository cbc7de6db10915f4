"""How long the evaluation may take for somebody who waits for it."""

from __future__ import annotations

from typing import Any

import pytest

from jaxtyping_core.programs import known
from jaxtyping_core.programs.evaluate import SECONDS
from jaxtyping_core.programs.report import Report
from jaxtyping_core.settings import Settings

pytestmark = pytest.mark.one_python


def test_a_program_of_many_files_takes_no_longer_than_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}

    def evaluate(*_: Any, **options: Any) -> Report:
        asked.update(options)
        return Report()

    monkeypatch.setattr(known, "collect", lambda *_: [])
    monkeypatch.setattr(known, "with_callers", lambda *_: ([], []))
    monkeypatch.setattr(known, "evaluate_programs", evaluate)
    known.known([], Settings())
    assert asked["most_of_one"] == SECONDS
