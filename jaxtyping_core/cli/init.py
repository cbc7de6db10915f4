"""``jaxtyping-core init``."""

from __future__ import annotations

from pathlib import Path

import click

from jaxtyping_core.cli import files
from jaxtyping_core.cli.command import Argument, command
from jaxtyping_core.cli.options import PATH
from jaxtyping_core.errors import CommandError
from jaxtyping_core.reading import read_bytes
from jaxtyping_core.settings import SECTION
from jaxtyping_core.settings_table import added


@command(
    Argument(
        "folder",
        metavar="[FOLDER]",
        default=Path(),
        type=PATH,
        help="The folder of the project. [default: the current folder]",
    )
)
def init(folder: Path) -> None:
    """The table goes to the end of pyproject.toml. If there is no such file, the command makes it.

    Each key is in a comment, with its default and its meaning. The rest of the file stays unchanged.

    \b
    Exit status:
      0  success
      2  nothing was written: the message says why
    """
    if not folder.is_dir():
        raise CommandError(f"{folder}: no such folder")
    file = folder / "pyproject.toml"
    if file.exists():
        before = _content(file)
        files.replace(file, before, added(_text(before, file), str(file)).encode())
    else:
        files.write(file, added("", str(file)).encode())
    click.echo(f"Wrote the table [tool.{SECTION}] to {file}")


def _content(file: Path) -> bytes:
    try:
        return read_bytes(file)
    except OSError as error:
        raise CommandError(f"cannot read {str(file)!r}: {error.strerror or error}") from None


def _text(content: bytes, file: Path) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise CommandError(f"{file}: the file is not UTF-8") from None
