"""``jaxtyping-core check`` without mypy: what the evaluation of programs finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jaxtyping_core.checking.evaluating import Limits, evaluated
from jaxtyping_core.checking.findings import (
    Finding,
    Ignores,
    files_of,
    finding,
    findings,
    idle_comments,
    told,
)
from jaxtyping_core.checking.formats import Diagnostic
from jaxtyping_core.checking.ignoring import MARK
from jaxtyping_core.checking.sieve import Sieve
from jaxtyping_core.checking.targets import targets
from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.callers import with_callers
from jaxtyping_core.programs.console_scripts import is_table
from jaxtyping_core.programs.evaluate import MOST_SECONDS, SECONDS
from jaxtyping_core.programs.notebooks import in_order
from jaxtyping_core.programs.report import Refusal
from jaxtyping_core.programs.sources import Program, collect
from jaxtyping_core.settings import Settings
from jaxtyping_core.severities import INFO, OFF, UNUSED, printed

#: How long the evaluation of all programs may take.
LIMITS = Limits(program=SECONDS, total=MOST_SECONDS)
#: The exit statuses.
CLEAN, ERRORS, UNABLE = 0, 1, 2


@dataclass(slots=True)
class Checked:
    """What is wrong in some files, and what else there is to say."""

    #: What is reported, in the order of files, lines and columns.
    findings: list[Finding] = field(default_factory=list)
    #: What is refused in programs.
    refusals: list[Refusal] = field(default_factory=list)
    #: Whether a file cannot be read as Python.
    is_broken: bool = False
    notes: list[str] = field(default_factory=list)
    #: How many files were checked.
    files: int = 0
    #: What there is to say of the baseline.
    known: list[str] = field(default_factory=list)
    #: Whether not all programs were evaluated to their end, and whether none was, of one or more.
    is_partial: bool = False
    is_nothing: bool = False

    @property
    def status(self) -> int:
        """The exit status."""
        if self.is_broken:
            return UNABLE
        if any(finding.record.severity != INFO for finding in self.findings):
            return ERRORS
        return UNABLE if self.is_nothing else CLEAN


def check(
    paths: Sequence[Path],
    configured: Settings,
    python: str | None = None,
    sieve: Sieve | None = None,
    begins: Callable[[Sequence[str], int], None] | None = None,
) -> Checked:
    """Evaluate the programs of some files and folders, and choose what is reported.

    Args:
        paths: files and folders.
        configured: the settings of the project.
        python: the interpreter whose JAX is asked; None for this one.
        sieve: what keeps findings from being reported; None for nothing.
        begins: is told the files of each program, and how many are left after it, before it is evaluated.

    Raises:
        CommandError: there is nothing to check in the paths, or the settings turn the evaluation off.
    """
    if not (configured.evaluate and configured.programs):
        setting = "programs" if configured.evaluate else "evaluate"
        raise CommandError(
            f"nothing to check: the setting `{setting} = false` turns the evaluation of programs off; add --mypy to check"
            " what mypy knows"
        )
    sieve = sieve or Sieve()
    chosen = targets(paths)
    programs = collect(chosen.files, configured.trusted)
    whole, called_from = with_callers(programs, configured.trusted)
    outcome = evaluated(whole, configured, LIMITS, python, begins=begins, errors_alone=True)
    asked = _with_named(programs, called_from, paths, configured)
    severities, ignores = printed(configured.rules, configured.low_precision), Ignores()
    refusals = findings(outcome.report, asked, severities, ignores)
    refusals = [refusal for refusal in refusals if sieve.keeps(told(refusal))]
    idle = _idle(asked, paths, ignores, severities[UNUSED]) if outcome.is_complete else []
    shown = [*map(Finding, chosen.broken), *map(finding, refusals)]
    shown += [Finding(record) for record in idle if sieve.keeps(record)]
    return Checked(
        sorted(shown, key=_place),
        refusals,
        bool(chosen.broken),
        [*configured.notes, *outcome.notes],
        sum(len(program.entries) for program in asked),
        sieve.summary(files_of(asked)) if outcome.is_complete else [],
        outcome.is_partial,
        outcome.is_nothing,
    )


def _place(finding: Finding) -> tuple[str, int, int, int]:
    record = finding.record
    return *in_order(record.file), record.line or 0, record.column or 0


def _idle(
    programs: Sequence[Program], paths: Sequence[Path], ignores: Ignores, severity: str
) -> list[Diagnostic]:
    """The comments that ignore nothing in the folders that the user names: of a file alone, some callers may be missing."""
    if severity == OFF:
        return []
    folders = [path.resolve() for path in paths if path.is_dir()]
    modules = (module for program in programs for module in program.modules.values())
    files = [Path(module.path) for module in modules if MARK in (module.text or "")]
    inside = [file for file in files if any(file.resolve().is_relative_to(top) for top in folders)]
    return [*idle_comments(inside, ignores, severity)]


def _with_named(
    programs: list[Program], called_from: Sequence[Path], paths: Sequence[Path], configured: Settings
) -> list[Program]:
    """The programs, with those of the calling scripts that are in the folders that the user names."""
    folders = [path.resolve() for path in paths if path.is_dir()]
    scripts = [file for file in called_from if not is_table(file)]
    inside = [file for file in scripts if any(file.resolve().is_relative_to(top) for top in folders)]
    if not inside:
        return programs
    files = [Path(module.path) for program in programs for module in program.entry_modules]
    return collect([*files, *inside], configured.trusted)
