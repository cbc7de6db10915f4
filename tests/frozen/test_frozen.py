"""What was said of whole programs is still said, or something more precise: `exceptions.toml` lists the others, with reasons."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import sweeps
from frozen.claims import Change, changes
from frozen.clients import CLIENTS, asked
from frozen.freeze import frozen
from frozen.programs import Program, programs

pytestmark = pytest.mark.one_python  # frozen under one version of JAX
HERE = Path(__file__).parent
#: The kinds of changes that are listed, each for a change that is a loss or not.
KINDS = {"loss": True, "difference": False}
#: The changes that have a reason: by client, program, place and kind.
EXCEPTIONS = {
    (row["client"], row["program"], row["where"], is_loss): row["reason"]
    for kind, is_loss in KINDS.items()
    for row in tomllib.loads((HERE / "exceptions.toml").read_text(encoding="utf-8")).get(kind, ())
}
GROUPS = [
    pytest.param(client, group, id=f"{client}-{group}")
    for client in CLIENTS
    for group in dict.fromkeys(program.group for program in programs())
    if asked(client, group)
]


@pytest.mark.parametrize(("client", "group"), GROUPS)
def test_nothing_is_lost(client: str, group: str, tmp_path: Path) -> None:
    before = frozen(client, group)
    tried = sweeps.some("frozen", [program for program in asked(client, group) if program.name in before])
    wrong = [
        f"{program.group}/{program.name}: {change}"
        for program, now in CLIENTS[client](tried, tmp_path)
        for change in changes(before[program.name], now, program.is_right)
        if not _is_excused(client, program, change)
    ]
    assert not wrong, "\n".join(wrong)


def _is_excused(client: str, program: Program, change: Change) -> bool:
    return (client, f"{program.group}/{program.name}", change.where, change.is_loss) in EXCEPTIONS


@pytest.mark.parametrize(("client", "group"), GROUPS)
def test_every_program_is_frozen(client: str, group: str) -> None:
    assert [*frozen(client, group)] == [program.name for program in asked(client, group)]


def test_every_change_has_a_reason() -> None:
    assert all(reason.strip() for reason in EXCEPTIONS.values())
