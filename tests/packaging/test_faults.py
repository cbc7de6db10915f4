"""The faults of tests/faults.toml: what each replaces is in its file, once, and its tests exist."""

from __future__ import annotations

from typing import Any

import pytest

from faults import FAULTS, ROOT

pytestmark = pytest.mark.one_python


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: str(fault["name"]))
def test_it_can_be_put_in(fault: dict[str, Any]) -> None:
    assert (ROOT / fault["file"]).read_text(encoding="utf-8").count(fault["old"]) == 1
    assert fault["new"] != fault["old"]
    assert [path for path in fault["tests"] if not (ROOT / path).exists()] == []
