"""Prints what `check` has found: as text for people, in colours on a terminal, or as records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from jaxtyping_core.checking import summary
from jaxtyping_core.checking.engine import Checked
from jaxtyping_core.checking.excerpts import excerpt
from jaxtyping_core.checking.fingerprints import Texts
from jaxtyping_core.checking.output import show_every_character
from jaxtyping_core.checking.records import Printer
from jaxtyping_core.programs.notebooks import file_of
from jaxtyping_core.severities import gravest
from jaxtyping_core.showing.terminal import visible

STYLES = {"error": "bold red", "warning": "bold yellow", "info": "bold blue", "note": "blue"}
CODE = "yellow"
SUCCESS, PARTIAL = "bold green", "bold yellow"


def show_records(checked: Checked, form: str) -> None:
    """Print the findings in one of the formats."""
    show_every_character()
    printer = Printer(form)
    for finding in checked.findings:
        printer.print(finding.record)
    printer.finish()


def show_text(checked: Checked, console: Console) -> None:
    """Print the findings with their notes, and the summary."""
    show_every_character()
    for line in _lines(checked, console):
        console.print(line, soft_wrap=True)
    console.print(_summary(checked), soft_wrap=True)
    for text in checked.known:
        console.print(Text(visible(text)), soft_wrap=True)


def _lines(checked: Checked, console: Console) -> Iterator[Text]:
    """The findings, each with its notes; on a terminal with the line that it is about.

    Elsewhere the text has one line for each message, which other programs look for.
    """
    texts = Texts()
    for record, notes in checked.findings:
        place = record.file if record.line is None else f"{record.file}:{record.line}"
        yield _line(place, record.severity, record.message, record.code)
        if console.is_terminal:
            yield from excerpt(record, texts, console.width, STYLES[record.severity])
        for note in notes:
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
    records = [finding.record for finding in checked.findings]
    if records:
        counts = Counter(record.severity for record in records)
        text = summary.findings(counts, len({file_of(record.file) for record in records}), checked.files)
        return Text(text, style=STYLES[gravest(counts)])
    if checked.is_partial:
        return Text(summary.partial(checked.files, checked.is_nothing), style=PARTIAL)
    return Text(summary.success(checked.files), style=SUCCESS)
