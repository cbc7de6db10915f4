"""Files that commands write."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

from jaxtyping_core.errors import CommandError
from jaxtyping_core.reading import read_bytes


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


def replace(path: Path, before: bytes, after: bytes) -> None:
    """Write a file of the user whole, if it still has the content that was changed. It keeps its permissions.

    Raises:
        CommandError: it has another content, or cannot be written.
    """
    if read_bytes(path) != before:
        raise CommandError(f"{path}: the file changed in the meantime, so it was not written")
    if not os.access(path, os.W_OK):
        raise CommandError(f"{path}: no permission to write this file")
    mode = path.stat().st_mode
    write(path.resolve(), after)
    path.chmod(mode)


@contextmanager
def redirected(output: Path | None) -> Iterator[None]:
    """Have what is printed written to a file in the end; None leaves standard output as it is.

    Raises:
        CommandError: the file cannot be written.
    """
    if output is None:
        yield
        return
    if not output.parent.is_dir():  # before the work
        raise CommandError(f"cannot write {str(output)!r}: there is no folder {str(output.parent)!r}")
    content = io.BytesIO()
    printed = io.TextIOWrapper(content, encoding="utf-8", errors="backslashreplace", write_through=True)
    with redirect_stdout(printed):
        yield
    write(output, content.getvalue())
