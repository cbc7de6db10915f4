"""``jaxtyping-core lsp``."""

from __future__ import annotations

import importlib.util

from jaxtyping_core.cli.command import command
from jaxtyping_core.cli.options import flag
from jaxtyping_core.errors import CommandError

#: What the server needs besides this package.
NEEDED = "pygls"


@command(
    flag(
        "--stdio",
        default=True,
        show_default=False,
        help="Communicate over stdio. This is the default; some editors pass the option.",
    )
)
def lsp(stdio: bool) -> None:
    """Your editor starts this command. The server shows dtypes and shapes next to the code, and reports errors as you
    type. The documentation has the settings for each editor.

    \b
    Exit status:
      0  the editor ended the server
      2  a package that the server needs is missing
    """
    if importlib.util.find_spec(NEEDED) is None:
        raise CommandError(f"the language server needs {NEEDED}; pip install 'jaxtyping-core[lsp]'")
    from jaxtyping_core.lsp.features import make_server

    make_server().start_io()
