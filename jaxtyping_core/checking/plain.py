"""Prints what `check` has found: as text for people, in colours on a terminal, or as records."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from jaxtyping_core.checking import summary
from jaxtyping_core.checking.engine import Checked
from jaxtyping_core.checking.findings import notes, told
from jaxtyping_core.checking.formats import FORMATS, Diagnostic
from jaxtyping_core.checking.output import show_every_character
from jaxtyping_core.programs.report import Refusal
from jaxtyping_core.showing.terminal import visible

STYLES = {"error": "bold red", "note": "blue"}
CODE = "yellow"
SUCCESS, FAILURE, PARTIAL = "bold green", "bold red", "bold yellow"


def show_records(checked: Checked, form: str) -> None:
    """Print the errors in one of the formats."""
    show_every_character()
    for record in sorted([*checked.broken, *map(told, checked.findings)], key=_place):
        for line in FORMATS[form](record):
            print(line)


def show_text(checked: Checked) -> None:
    """Print the errors with their notes, and the summary."""
    show_every_character()
    console = Console(highlight=False)
    for line in _lines(checked):
        console.print(line, soft_wrap=True)
    console.print(_summary(checked), soft_wrap=True)


def _place(record: Diagnostic) -> tuple[str, int]:
    return record.file, record.line or 0


def _lines(checked: Checked) -> Iterator[Text]:
    """The errors in the order of their places, each with its notes."""
    errors: list[tuple[Diagnostic, Refusal | None]] = [(record, None) for record in checked.broken]
    errors += [(told(refusal), refusal) for refusal in checked.findings]
    for record, refusal in sorted(errors, key=lambda error: _place(error[0])):
        place = record.file if record.line is None else f"{record.file}:{record.line}"
        yield _line(place, "error", record.message, record.code)
        for note in notes(refusal) if refusal else ():
            yield _line(note.place or place, "note", note.text)


def _line(place: str, severity: str, message: str, code: str | None = None) -> Text:
    """``file:line: error: message  [code]``."""
    return Text.assemble(
        f"{visible(place)}: ",
        (f"{severity}:", STYLES[severity]),
        f" {visible(message)}",
        (f"  [{code}]" if code else "", CODE),
    )


def _summary(checked: Checked) -> Text:
    count = len(checked.broken) + len(checked.findings)
    if count:
        files = {record.file for record in (*checked.broken, *map(told, checked.findings))}
        return Text(summary.errors(count, len(files), checked.files), style=FAILURE)
    if checked.is_partial:
        return Text(summary.partial(checked.files, checked.is_nothing), style=PARTIAL)
    return Text(summary.success(checked.files), style=SUCCESS)
