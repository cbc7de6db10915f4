"""Options, those that several commands have among them, and what a shell offers for their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

#: A file or folder, as `pathlib` has it.
PATH = click.Path(path_type=Path)


def option(*names: str, help: str, **attributes: Any) -> click.Option:
    """An option with a value."""
    return click.Option(names, help=help, **attributes)


def flag(*names: str, help: str, **attributes: Any) -> click.Option:
    """An option without a value, which is false by default."""
    return click.Option(names, is_flag=True, help=help, **attributes)


def output_format(formats: Iterable[str], default: str) -> click.Option:
    """The option ``--output-format``."""
    *names, last = formats
    return option(
        "--output-format",
        "form",
        metavar="FORMAT",
        default=default,
        help=f"How to print: {', '.join(names)} or {last}.",
        shell_complete=offering(formats),
    )


def offering(words: Iterable[str]) -> Callable[[Any, Any, str], list[str]]:
    """What a shell completes to one of some words."""
    return lambda _, __, incomplete: [word for word in words if word.startswith(incomplete)]


def config_file(help: str) -> click.Option:
    """The option ``--config-file``."""
    return option("--config-file", metavar="FILE", type=PATH, help=help)


CONFIG_FILE = config_file("mypy's configuration file. [default: the one that mypy finds]")
SETTINGS_FILE = config_file(
    "mypy's configuration file, if it has the settings. [default: the one that mypy finds]"
)
NO_DAEMON = flag("--no-daemon", help="Start no process that stays for the next commands.")
NO_OBSERVED = flag(
    "--no-observed",
    help="Ignore what recorded runs got from files and libraries. The setting `observed = false` does so always.",
)
OUTPUT = option(
    "--output",
    metavar="FILE",
    type=PATH,
    help="Write the output to FILE, completely or not at all. [default: print it]",
)
PYTHON = option(
    "--python",
    metavar="PYTHON",
    help="The Python, or virtual environment, whose JAX to use. [default: the active one, or this one]",
)
REQUIRE_WALL = flag(
    "--require-wall",
    "wall",
    help="Exit with status 2 if the operating system cannot isolate the evaluation.",
)
TRUST = option(
    "--trust",
    "trusted",
    metavar="PACKAGE",
    multiple=True,
    help="Also call the functions of PACKAGE. This imports it, which runs its code. Repeat the option for more packages.",
)
