"""How grave the findings of each code are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from jaxtyping_core.evaluation.protocol import CODES
from jaxtyping_core.programs.report import Refusal
from jaxtyping_core.rules import ERROR, INFO, OFF, RULES, SEVERITIES, WARNING

__all__ = ["DEFAULTS", "ERROR", "INFO", "OFF", "SEVERITIES", "UNUSED", "WARNING"]
#: The code of comments that ignore nothing. mypy has it too.
UNUSED = "unused-ignore"
#: The severity of each code where the settings say nothing: an error is what surely fails.
DEFAULTS: Mapping[str, str] = {
    **dict.fromkeys(CODES.values(), ERROR),
    **{rule.code: rule.severity for rule in sorted(RULES, key=lambda rule: -SEVERITIES.index(rule.severity))},
    UNUSED: WARNING,
}
#: The same for the kinds of findings that are less grave than the other ones of their code, because they may be meant.
LESS_GRAVE: Mapping[str, str] = {
    rule.kind: rule.severity for rule in RULES if rule.severity != DEFAULTS[rule.code]
}
#: The code that is a warning in the files that the setting `low-precision` names.
OF_LOW_PRECISION = "widening"
#: What a project says of codes: each with its severity.
Said = Iterable[tuple[str, str]]


class Severities(dict[str, str]):
    """The severity of each code and of the kinds that are less grave, and the files of low precision, in which one code is graver."""

    low_precision: Sequence[Path] = ()

    def of(self, refusal: Refusal) -> str:
        """The severity of a finding."""
        code = CODES[refusal.kind]
        if code == OF_LOW_PRECISION and self.low_precision:
            file = Path(refusal.file).resolve()
            if any(file.is_relative_to(path) for path in self.low_precision):
                return WARNING
        return self.get(refusal.kind) or self[code]


def known(said: Said, low_precision: Iterable[str] = ()) -> Severities:
    """The severity of every code, and of the kinds that are less grave than their code; no project makes these graver.

    What a project says of a code holds for all of its files.
    """
    asked = dict(said)
    codes = {**DEFAULTS, **asked}
    kinds = {
        kind: max(codes[CODES[kind]], severity, key=SEVERITIES.index) for kind, severity in LESS_GRAVE.items()
    }
    severities = Severities({**codes, **kinds})
    if OF_LOW_PRECISION not in asked:
        severities.low_precision = [Path(path).resolve() for path in low_precision]
    return severities


def printed(said: Said, low_precision: Iterable[str] = ()) -> Severities:
    """The same for what commands print: information only where the project asks for it."""
    asked, severities = dict(said), known(said, low_precision)
    unasked = [
        name
        for name, severity in severities.items()
        if severity == INFO and CODES.get(name, name) not in asked
    ]
    severities.update(dict.fromkeys(unasked, OFF))
    return severities


def errors(said: Said) -> Severities:
    """The same for mypy, which knows errors alone."""
    return Severities(
        {code: severity if severity == ERROR else OFF for code, severity in known(said).items()}
    )


def gravest(severities: Iterable[str]) -> str:
    """The gravest of some."""
    return min(severities, key=SEVERITIES.index)


def graded(refusals: Iterable[Refusal], severities: Severities) -> list[Refusal]:
    """Those that are not switched off, each with its severity, the gravest first."""
    each = (replace(refusal, severity=severities.of(refusal)) for refusal in refusals)
    shown = [refusal for refusal in each if refusal.severity != OFF]
    return sorted(shown, key=lambda refusal: SEVERITIES.index(refusal.severity))
