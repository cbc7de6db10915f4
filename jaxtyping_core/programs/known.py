"""What is known of programs: the evaluation of them and of the scripts that call them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from jaxtyping_core.programs.callers import with_callers
from jaxtyping_core.programs.console_scripts import is_table
from jaxtyping_core.programs.evaluate import SECONDS, evaluate_programs
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings


def known(files: Sequence[Path], settings: Settings, python: str | None = None) -> Report:
    """What is known of the programs that `files` belong to.

    Args:
        files: files of Python.
        settings: how the programs run JAX.
        python: the interpreter whose JAX and packages are asked; None for this one.

    Raises:
        CommandError: a file cannot be read as Python.
    """
    programs, called_from = with_callers(collect(files, settings.trusted), settings.trusted)
    evaluated = evaluate_programs(
        programs,
        settings,
        python or sys.executable,
        with_defaults=True,
        with_sizes=True,
        most_of_one=SECONDS,  # somebody waits: what is known by then is shown
    )
    notes = [
        f"includes the calls of the commands in {file}"
        if is_table(file)
        else f"includes the calls in {file}, which imports a shown file"
        for file in called_from
    ]
    return replace(evaluated, notes=[*notes, *evaluated.notes])
