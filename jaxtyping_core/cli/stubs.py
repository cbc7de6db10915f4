"""``jaxtyping-core stubs``."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import click

from jaxtyping_core.cli.command import command
from jaxtyping_core.cli.consoles import make_console
from jaxtyping_core.cli.options import PATH, flag, option
from jaxtyping_core.evaluation.support import NEWEST, is_untested
from jaxtyping_core.installation.project import installed_jax, write_stubs

#: What makes each checker see the stubs in a folder. Each line is tested in tests/cli.
SEEN_BY = {
    "pyright, basedpyright": 'stubPath = "{folder}"; but installed stubs come first, so prefer --output {site}',
    "pyrefly": 'search-path = ["{folder}", "."], or pyrefly check --search-path {folder}',
    "ty": 'extra-paths = ["{folder}"] in [environment]',
    "zuban": 'mypy_path = "{folder}"',
    "mypy": "sees only installed stubs: use --output {site}",
}
#: In the environment's own folder.
INSTALLED = {"every checker of this environment": "sees them without a setting"}


@command(
    option(
        "--output",
        metavar="FOLDER",
        type=PATH,
        required=True,
        help="Write the package jax-stubs into this folder.",
    ),
    flag("--x64", help="Describe JAX with 64-bit types on."),
)
def stubs(output: Path, x64: bool) -> None:
    """The stubs are the package jax-stubs. You need this if your JAX is newer than the stubs of this package. With --x64
    it also serves type checkers that have no setting for 64-bit types.

    Stubs from an earlier run are replaced in one step. Nothing else in the folder is changed.

    \b
    Exit status:
      0  success
      2  nothing was written: the message says why
    """
    version = installed_jax()
    if is_untested(version):
        click.echo(
            f"jaxtyping-core: JAX {version} is newer than {NEWEST}, the newest tested version", err=True
        )
    with make_console(stderr=True).status(f"Describing JAX {version}"):
        target = write_stubs(output, x64)
    count = sum(1 for _ in target.rglob("*.pyi"))
    bits = f"64-bit types {'on' if x64 else 'off'}"
    click.echo(f"Wrote {count} stubs of JAX {version}, {bits}, to {target}")
    site = Path(sysconfig.get_path("purelib"))
    lines = INSTALLED if output.resolve() == site.resolve() else SEEN_BY
    for checker, how in lines.items():
        click.echo(f"  {checker}: {how.format(folder=output.as_posix(), site=site)}")
