"""How grave the findings of each code are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from jaxtyping_core.evaluation.protocol import CODES
from jaxtyping_core.programs.report import Refusal
from jaxtyping_core.rules import ERROR, INFO, OFF, RULES, SEVERITIES, WARNING

__all__ = ["DEFAULTS", "ERROR", "INFO", "OFF", "SEVERITIES", "UNUSED", "WARNING"]
#: The code of comments that ignore nothing. mypy has it too.
UNUSED = "unused-ignore"
#: The severity of each code where the settings say nothing: an error is what surely fails.
DEFAULTS: Mapping[str, str] = {
    **dict.fromkeys(CODES.values(), ERROR),
    **{rule.code: rule.severity for rule in RULES},
    UNUSED: WARNING,
}
#: What a project says of codes: each with its severity.
Said = Iterable[tuple[str, str]]


def known(said: Said) -> dict[str, str]:
    """The severity of every code."""
    return {**DEFAULTS, **dict(said)}


def printed(said: Said) -> dict[str, str]:
    """The same for what commands print: information only where the project asks for it."""
    asked = dict(said)
    return {
        code: OFF if severity == INFO and code not in asked else severity
        for code, severity in known(said).items()
    }


def errors(said: Said) -> dict[str, str]:
    """The same for mypy, which knows errors alone."""
    return {code: severity if severity == ERROR else OFF for code, severity in known(said).items()}


def gravest(severities: Iterable[str]) -> str:
    """The gravest of some."""
    return min(severities, key=SEVERITIES.index)


def graded(refusals: Iterable[Refusal], severities: Mapping[str, str]) -> list[Refusal]:
    """Those that are not switched off, each with its severity, the gravest first."""
    each = (replace(refusal, severity=severities[CODES[refusal.kind]]) for refusal in refusals)
    shown = [refusal for refusal in each if refusal.severity != OFF]
    return sorted(shown, key=lambda refusal: SEVERITIES.index(refusal.severity))
