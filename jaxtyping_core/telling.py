"""Notes on standard error, each told once."""

from __future__ import annotations

import sys

_told: set[str] = set()


def tell(note: str) -> None:
    """Say something, unless this process has said it already."""
    line = f"jaxtyping-core: {note}"
    if line not in _told:
        _told.add(line)
        print(line, file=sys.stderr, flush=True)


def is_told(line: str) -> bool:
    """Whether a line is a note that this process has told: a child process may say the same."""
    return line in _told
