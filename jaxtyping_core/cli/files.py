"""Files that commands write."""

from __future__ import annotations

import os
from pathlib import Path

from jaxtyping_core.errors import CommandError


def write(output: Path, content: bytes) -> None:
    """Write a file, either completely or not at all.

    Raises:
        CommandError: it cannot be written.
    """
    unfinished = output.with_name(f".{output.name}.{os.getpid()}")
    try:
        try:
            unfinished.write_bytes(content)
            unfinished.replace(output)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise CommandError(f"cannot write {str(output)!r}: {error.strerror}") from error
