"""``jaxtyping-core lsp``."""

from __future__ import annotations

import importlib.util
from typing import Annotated

import typer

from jaxtyping_core.errors import CommandError

#: What the server needs besides this package.
NEEDED = ("pygls", "mypy", "tomlkit")


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(lsp)


def lsp(
    stdio: Annotated[
        bool, typer.Option("--stdio", help="As without it: some editors name the way that they speak.")
    ] = True,
) -> None:
    """Serve an editor: dtypes and shapes beside the lines, and errors as you type.

    Editors start it and speak with it over standard input and output; docs/editor.md has the lines for each of them.
    """
    for name in NEEDED:
        if importlib.util.find_spec(name) is None:
            raise CommandError(f"the language server needs {name}; pip install 'jaxtyping-core[lsp]'")
    from jaxtyping_core.lsp.features import make_server

    make_server().start_io()
