"""What the child says of programs: of files, and of texts that a test has."""

from __future__ import annotations

from pathlib import Path

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.evaluate import ask
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings


def evaluate(child: Evaluator, *files: Path) -> Report:
    """What is said of the one program that these files are."""
    (program,) = collect(files)
    return ask(child, program, Settings())


def evaluate_text(child: Evaluator, folder: Path, text: str) -> Report:
    """What is said of the text as the only module of a program."""
    file = folder / "program.py"
    file.write_text(text, encoding="utf-8")
    return evaluate(child, file)
