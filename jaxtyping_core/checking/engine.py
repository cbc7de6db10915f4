"""``jaxtyping-core check`` without mypy: what the evaluation of programs finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jaxtyping_core.checking.evaluating import Limits, evaluated
from jaxtyping_core.checking.findings import findings
from jaxtyping_core.checking.formats import Diagnostic
from jaxtyping_core.checking.targets import targets
from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.callers import with_callers
from jaxtyping_core.programs.evaluate import SECONDS
from jaxtyping_core.programs.report import Refusal
from jaxtyping_core.programs.sources import Program, collect
from jaxtyping_core.settings import Settings

#: How long the evaluation of all programs may take.
LIMITS = Limits(program=SECONDS, total=300.0)
#: The exit statuses.
CLEAN, ERRORS, UNABLE = 0, 1, 2


@dataclass(slots=True)
class Checked:
    """What is wrong in some files, and what else there is to say."""

    findings: list[Refusal] = field(default_factory=list)
    #: The errors of files that cannot be read as Python.
    broken: list[Diagnostic] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: How many files were checked.
    files: int = 0
    #: Whether not all programs were evaluated to their end, and whether none was, of one or more.
    is_partial: bool = False
    is_nothing: bool = False

    @property
    def status(self) -> int:
        """The exit status."""
        if self.broken:
            return UNABLE
        if self.findings:
            return ERRORS
        return UNABLE if self.is_nothing else CLEAN


def check(paths: Sequence[Path], configured: Settings, python: str | None = None) -> Checked:
    """Evaluate the programs of some files and folders, and choose what is reported.

    Args:
        paths: files and folders.
        configured: the settings of the project.
        python: the interpreter whose JAX is asked; None for this one.

    Raises:
        CommandError: there is nothing to check in the paths, or the settings turn the evaluation off.
    """
    if not (configured.evaluate and configured.programs):
        setting = "programs" if configured.evaluate else "evaluate"
        raise CommandError(
            f"nothing to check: the setting `{setting} = false` turns the evaluation of programs off; add --mypy to check"
            " what mypy knows"
        )
    chosen = targets(paths)
    programs = collect(chosen.files, configured.trusted)
    whole, called_from = with_callers(programs, configured.trusted)
    outcome = evaluated(whole, configured, LIMITS, python)
    asked = _with_named(programs, called_from, paths, configured)
    return Checked(
        findings(outcome.report, asked),
        chosen.broken,
        [*configured.notes, *outcome.notes],
        sum(len(program.entries) for program in asked),
        outcome.is_partial,
        outcome.is_nothing,
    )


def _with_named(
    programs: list[Program], called_from: Sequence[Path], paths: Sequence[Path], configured: Settings
) -> list[Program]:
    """The programs, with those of the calling scripts that are in the folders that the user names."""
    folders = [path.resolve() for path in paths if path.is_dir()]
    inside = [file for file in called_from if any(file.resolve().is_relative_to(top) for top in folders)]
    if not inside:
        return programs
    files = [Path(module.path) for program in programs for module in program.entry_modules]
    return collect([*files, *inside], configured.trusted)
