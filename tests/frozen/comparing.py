"""Whether what was said of whole programs is still said, or something more precise: `exceptions.toml` lists the others, with reasons.

Each client has a file of tests, so that several processes may try them.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import sweeps
from frozen.claims import Change, changes
from frozen.clients import CLIENTS, asked
from frozen.freeze import frozen
from frozen.programs import Program, programs

HERE = Path(__file__).parent
#: The kinds of changes that are listed, each for a change that is a loss or not.
KINDS = {"loss": True, "difference": False}
#: The changes that have a reason: by client, program, place and kind.
EXCEPTIONS = {
    (row["client"], row["program"], row["where"], is_loss): row["reason"]
    for kind, is_loss in KINDS.items()
    for row in tomllib.loads((HERE / "exceptions.toml").read_text(encoding="utf-8")).get(kind, ())
}


def of_client(client: str) -> pytest.MarkDecorator:
    """A test for each group of programs that a client is asked about."""
    groups = dict.fromkeys(program.group for program in programs())
    return pytest.mark.parametrize("group", [group for group in groups if asked(client, group)])


def losses(client: str, group: str, folder: Path) -> str:
    """What a client no longer says of a group, or says in another way, without a reason; a line for each."""
    before = frozen(client, group)
    tried = sweeps.some("frozen", [program for program in asked(client, group) if program.name in before])
    return "\n".join(
        f"{program.group}/{program.name}: {change}"
        for program, now in CLIENTS[client](tried, folder)
        for change in changes(before[program.name], now, program.is_right)
        if not _is_excused(client, program, change)
    )


def _is_excused(client: str, program: Program, change: Change) -> bool:
    return (client, f"{program.group}/{program.name}", change.where, change.is_loss) in EXCEPTIONS
