"""What a file of facts does not know yet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jaxtyping_core.recording.sources import source
from jaxtyping_core.recording.store import load


def report(facts: Path) -> Iterator[str]:
    """Each file, how many of its functions were called, and those that were not.

    Raises:
        CommandError: there are no facts.
    """
    for path, recorded in sorted(load(facts).files.items()):
        now = source(path)
        if now is None or now.digest != recorded.digest:
            yield f"{path}: the file has changed since it was recorded; record the run again"
            continue
        missed = [function for function in now.functions if function not in recorded.calls]
        calls = sum(sum(counts.values()) for counts in recorded.calls.values())
        there = counted(len(now.functions), "function")
        yield f"{path}: {counted(calls, 'call')} of {len(recorded.calls)} of {there}"
        for function in missed:
            yield f"{path}:{function.line}: {function.qualname} was not called"


def counted(number: int, what: str) -> str:
    """A number of things."""
    return f"{number:,} {what}{'s' * (number != 1)}"
