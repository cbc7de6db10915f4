"""The commands that a project installs: ``pyproject.toml`` names the functions that they call, each without arguments.

They are taken as a program whose lines are those of the file, so that a call of one has its place there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FILE = "pyproject.toml"
#: Where the table is that has the names of commands and what they call, and the keys before it.
TABLES = (("project", "scripts"), ("project", "gui-scripts"), ("tool", "poetry", "scripts"))
#: How a command names a module and a function in it. Only such text becomes a part of the program.
TARGET = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*)((?:\.[A-Za-z_]\w*)*)$")
CALL = "from {module} import {name} as _; _{rest}()"


def is_table(file: Path) -> bool:
    """Whether a file names the commands of a project."""
    return file.name == FILE


def program_of(content: bytes) -> str:
    """The program that calls what the commands call; empty if there are none, or if the file is no TOML."""
    try:
        text = content.decode()
        table = tomllib.loads(text)
    except ValueError:
        return ""
    lines = text.splitlines()
    calls = [""] * len(lines)
    for target in _targets(table):
        match = TARGET.match(target)
        line = next((number for number, line in enumerate(lines) if target in line), None)
        if match is not None and line is not None:
            call = CALL.format(module=match[1], name=match[2], rest=match[3])
            calls[line] = f"{calls[line]}; {call}" if calls[line] else call
    return "\n".join(calls).rstrip() + "\n" if any(calls) else ""


def _targets(table: dict[str, Any]) -> Iterator[str]:
    for keys in TABLES:
        inner: Any = table
        for key in keys:
            inner = inner.get(key) if isinstance(inner, dict) else None
        if isinstance(inner, dict):
            yield from (target for target in inner.values() if isinstance(target, str))
