"""What is known of programs from both sources: their evaluation, and mypy's types."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from jaxtyping_core.programs.callers import with_callers
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.inferred import inferring
from jaxtyping_core.programs.places import merge
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.settled import is_settled
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

#: Seconds that the evaluation has to itself: where it knows all, mypy has nothing to add, and is not started.
PATIENCE = 3.0


def known(
    files: Sequence[Path], settings: Settings, config_file: Path | None = None, python: str | None = None
) -> Report:
    """What is known of the programs that `files` belong to.

    Args:
        files: files of Python.
        settings: how the programs run JAX.
        config_file: mypy's configuration; None for the one that mypy would find.
        python: the interpreter whose JAX and packages are asked; None for this one and mypy's.

    Raises:
        CommandError: a file cannot be read as Python, or mypy's configuration cannot be read.
    """
    programs = collect(files, settings.trusted)
    whole, called_from = with_callers(programs, settings.trusted)
    with inferring(programs, config_file, python, PATIENCE) as inferred:
        evaluated = evaluate_programs(whole, settings, python or sys.executable)
        of_mypy = Report() if is_settled(evaluated, programs) else inferred()
    notes = [f"includes the calls in {file}, which imports a shown file" for file in called_from]
    return Report(
        merge(of_mypy.places, evaluated.places),
        evaluated.refusals,
        [*notes, *evaluated.notes, *of_mypy.notes],
        unwalled=evaluated.unwalled,
    )
