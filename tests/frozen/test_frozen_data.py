"""The frozen claims are those of all programs, and what has changed in them has a reason."""

from __future__ import annotations

import pytest

from frozen.clients import CLIENTS, asked
from frozen.comparing import EXCEPTIONS
from frozen.freeze import frozen
from frozen.programs import programs

pytestmark = pytest.mark.one_python  # frozen under one version of JAX


@pytest.mark.parametrize("client", CLIENTS)
def test_every_program_is_frozen(client: str) -> None:
    for group in dict.fromkeys(program.group for program in programs()):
        assert [*frozen(client, group)] == [program.name for program in asked(client, group)]


def test_every_change_has_a_reason() -> None:
    assert all(reason.strip() for reason in EXCEPTIONS.values())
