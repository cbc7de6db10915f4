"""Writes down what the clients say now: ``python tests/frozen/freeze.py [CLIENT...]``. It prints what was said and is no longer."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "lsp")]

from frozen import claims, clients, programs  # needs the path above


def file_of(client: str, group: str) -> Path:
    """The file with what a client said of a group."""
    return HERE / "data" / client / f"{group}.jsonl"


def frozen(client: str, group: str) -> dict[str, claims.Said]:
    """What a client said of the programs of a group, by their names."""
    file = file_of(client, group)
    return claims.read(file.read_text(encoding="utf-8")) if file.exists() else {}


def freeze(client: str, group: str) -> None:
    """Ask a client about a group and write down what it says."""
    asked = clients.asked(client, group)
    if not asked:
        return
    with tempfile.TemporaryDirectory(prefix="frozen-") as folder:
        now = {program.name: answer for program, answer in clients.CLIENTS[client](asked, Path(folder))}
    before = frozen(client, group)
    for program in asked:
        if program.name in before:
            for change in claims.changes(before[program.name], now[program.name], program.is_right):
                print(f"{client} {group}/{program.name}: {change}")
    file = file_of(client, group)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(claims.written(now), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or clients.CLIENTS:
        for each in dict.fromkeys(program.group for program in programs.programs()):
            freeze(name, each)
