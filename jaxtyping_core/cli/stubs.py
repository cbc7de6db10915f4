"""``jaxtyping-core stubs``."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from jaxtyping_core.evaluation.support import NEWEST, is_untested
from jaxtyping_core.installation.project import installed_jax, write_stubs

#: What makes each checker see the stubs in a folder. Each line is tested in tests/cli.
SEEN_BY = {
    "pyright, basedpyright": 'stubPath = "{folder}"; installed stubs go first, so rather --out {site}',
    "pyrefly": 'search-path = ["{folder}", "."], or check --search-path {folder}',
    "ty": 'extra-paths = ["{folder}"] in [environment]',
    "zuban": 'mypy_path = "{folder}"',
    "mypy": "sees installed stubs only: --out {site}",
}
#: In the environment's own folder.
INSTALLED = {"every checker of this environment": "sees them without any setting"}


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(stubs)


def stubs(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder to write the stub package jax-stubs into.")
    ],
    x64: Annotated[bool, typer.Option("--x64", help="Stubs for JAX with 64-bit types on.")] = False,
) -> None:
    """Write the stubs for the installed JAX into a project.

    Stubs that an earlier run wrote there are replaced, in one step; anything else there is left alone.
    """
    version = installed_jax()
    if is_untested(version):
        typer.echo(f"jaxtyping-core: JAX {version} is newer than the newest tested, {NEWEST}", err=True)
    with Console(stderr=True).status(f"Asking JAX {version} about its functions"):
        target = write_stubs(out, x64)
    count = sum(1 for _ in target.rglob("*.pyi"))
    bits = f"64-bit types {'on' if x64 else 'off'}"
    typer.echo(f"Wrote {count} stubs of JAX {version}, {bits}, to {target}")
    site = Path(sysconfig.get_path("purelib"))
    lines = INSTALLED if out.resolve() == site.resolve() else SEEN_BY
    for checker, how in lines.items():
        typer.echo(f"  {checker}: {how.format(folder=out.as_posix(), site=site)}")
