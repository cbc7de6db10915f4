"""Which findings are reported: those of the chosen codes that are not known from a baseline."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jaxtyping_core.checking.baseline import Baseline
from jaxtyping_core.checking.formats import Diagnostic
from jaxtyping_core.errors import CommandError, unknown


@dataclass(slots=True)
class Sieve:
    """What keeps findings from being reported."""

    #: The codes that are reported; None for all.
    selected: Collection[str] | None = None
    ignored: Collection[str] = ()
    baseline: Baseline | None = None
    #: Where a new baseline is written: then nothing is reported.
    is_recording: bool = False
    recorded: list[Diagnostic] = field(default_factory=list)

    def keeps(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding is reported. Each is asked about once."""
        code = diagnostic.code or ""
        if code in self.ignored or (self.selected is not None and code not in self.selected):
            return False
        if self.is_recording:
            self.recorded.append(diagnostic)
            return False
        return self.baseline is None or not self.baseline.knows(diagnostic)

    def summary(self, checked: Collection[Path]) -> list[str]:
        """What there is to say of the baseline."""
        return self.baseline.summary(checked) if self.baseline else []


def codes(listed: Sequence[str] | None, known: Iterable[str] | None) -> list[str]:
    """The codes in the values of an option, which may have several with commas between them.

    Raises:
        CommandError: a code is not among the known ones.
    """
    named = [code.strip() for value in listed or () for code in value.split(",") if code.strip()]
    for code in named:
        if known is not None and code not in (known := [*known]):
            raise CommandError(unknown("error code", code, known))
    return named
