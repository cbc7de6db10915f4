"""The words of options that several commands have, and what a shell offers for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import typer

CONFIG_FILE = "mypy's configuration file. [default: the one that mypy finds]"
SETTINGS_FILE = "mypy's configuration file, if it has the settings. [default: the one that mypy finds]"
REQUIRE_WALL = "Exit with status 2 if the operating system cannot isolate the evaluation."
TRUST = "Also call the functions of PACKAGE. This imports it, which runs its code. Repeat the option for more packages."
PYTHON = "The Python, or virtual environment, whose JAX to use. [default: the active one, or this one]"
NO_DAEMON = "Start no process that stays for the next commands."
NO_OBSERVED = (
    "Ignore what recorded runs got from files and libraries. The setting `observed = false` does so always."
)
OUTPUT = "Write the output to FILE, completely or not at all. [default: print it]"


def output_format(formats: Iterable[str]) -> typer.models.OptionInfo:
    """The option ``--output-format``."""
    *names, last = formats
    option: typer.models.OptionInfo = typer.Option(
        "--output-format",
        metavar="FORMAT",
        help=f"How to print: {', '.join(names)} or {last}.",
        autocompletion=offering(formats),
    )
    return option


def offering(words: Iterable[str]) -> Callable[[str], list[str]]:
    """What a shell completes to one of some words."""
    return lambda incomplete: [word for word in words if word.startswith(incomplete)]
