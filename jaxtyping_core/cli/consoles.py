"""The terminals that commands write to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from rich.console import Console
from rich.text import Text

from jaxtyping_core.programs.report import listed
from jaxtyping_core.showing.terminal import visible


def make_console(stderr: bool = False, is_file: bool = False, soft_wrap: bool = False) -> Console:
    """What prints to standard output, or to standard error.

    Colours are for terminals, and for whoever sets ``FORCE_COLOR``. ``NO_COLOR`` (https://no-color.org) is stronger, and
    stands for all styles: rich itself keeps bold text. A report that is written into a file has none either.
    """
    is_plain = is_file or bool(os.environ.get("NO_COLOR"))
    color_system: Literal["auto"] | None = None if is_plain else "auto"
    return Console(stderr=stderr, highlight=False, soft_wrap=soft_wrap, color_system=color_system)


@contextmanager
def evaluating() -> Iterator[Callable[[Sequence[str], int], None]]:
    """Say on a terminal which program is being evaluated, and how many are left."""
    console = make_console(stderr=True)
    if not console.is_terminal:  # rich imports what draws there, which takes a tenth of a short check
        yield lambda files, left: None
        return
    with console.status("Evaluating") as status:
        yield lambda files, left: status.update(progress(files, left))


def progress(files: Sequence[str], left: int) -> Text:
    """What is said while a program with these files is evaluated."""
    return Text(visible(f"Evaluating {listed(files)}" + (f", {left} left" if left else "")))
