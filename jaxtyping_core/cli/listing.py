"""The commands: what each does in a line, its page of the documentation, and the extra that it needs.

This module needs no extra itself: without click the command line still lists its commands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jaxtyping_core.pages import DOCS, page

ABOUT = "Static dtypes and shapes for JAX."
VERSION_HELP = "Show the version and exit."
HELP_HELP = "Show this message and exit."


class Command(NamedTuple):
    """A command. Its `module` in this package has it under its name."""

    module: str
    summary: str
    page: str
    extra: str = "cli"


#: In the order of the alphabet, as every list has them.
COMMANDS = {
    "annotate": Command(
        "annotate", "Write array annotations from recorded calls.", "how-to/annotate", "annotate"
    ),
    "check": Command("check", "Report array operations that JAX would reject.", "checked", "check"),
    "doctor": Command("doctor", "Check the installation and its type checkers.", "how-to/checkers"),
    "explain": Command("explain", "Print the documentation of an error code.", "reference/codes"),
    "init": Command("init", "Write the table of settings to pyproject.toml.", "reference/settings"),
    "lattice": Command("promotion", "Draw the promotion lattice of a system.", "reference/promotion", "plot"),
    "lsp": Command("lsp", "Start the language server for an editor.", "how-to/editor", "lsp"),
    "promote": Command("promotion", "Print the dtype that several dtypes promote to.", "reference/promotion"),
    "record": Command(
        "record", "Run a program and record the dtypes and shapes of its calls.", "reference/recording"
    ),
    "show": Command("show", "Print source code with the dtype and shape of every array.", "reference/show"),
    "stubs": Command("stubs", "Write stubs for the installed JAX into a project.", "how-to/checkers"),
    "table": Command("promotion", "Print the promotion table of a system.", "reference/promotion"),
    "verify": Command("verify", "Check that functions return what they declare.", "how-to/verify"),
}


def documentation(name: str | None = None) -> str:
    """The last line of the help of a command, or of the list of commands."""
    return f"Documentation: {DOCS if name is None else page(COMMANDS[name].page)}"


def plain() -> Iterator[str]:
    """The lines of ``jaxtyping-core --help`` where no extra is installed."""
    yield "Usage: jaxtyping-core [OPTIONS] COMMAND [ARGS]..."
    yield ""
    yield f"  {ABOUT}"
    yield ""
    yield "Options:"
    yield f"  --version  {VERSION_HELP}"
    yield f"  --help     {HELP_HELP}"
    for extra in dict.fromkeys(command.extra for command in COMMANDS.values()):
        yield ""
        yield f"Commands that need: pip install 'jaxtyping-core[{extra}]'"
        width = max(map(len, COMMANDS)) + 2
        for name, command in COMMANDS.items():
            if command.extra == extra:
                yield f"  {name:{width}}{command.summary}"
    yield ""
    yield f"  {documentation()}"
