"""What `show` said of whole programs is still said, or something more precise."""

from __future__ import annotations

from pathlib import Path

import pytest

from frozen.comparing import losses, of_client

CLIENT = "show"
pytestmark = pytest.mark.one_python  # frozen under one version of JAX


@of_client(CLIENT)
def test_nothing_is_lost(group: str, tmp_path: Path) -> None:
    wrong = losses(CLIENT, group, tmp_path)
    assert not wrong, wrong
