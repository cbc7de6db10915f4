"""The line of a finding, with a mark below the part that the finding is about."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

from jaxtyping_core.checking.fingerprints import Texts
from jaxtyping_core.checking.formats import Diagnostic
from jaxtyping_core.showing.terminal import TAB, visible

GUTTER, MARK = "blue", "^"


def excerpt(record: Diagnostic, texts: Texts, width: int, style: str) -> Iterator[Text]:
    """The rows of an excerpt; none where the place is unknown, or further right than the terminal is wide.

    Of an expression of several lines, the first one is shown.
    """
    line = texts.line(record.file, record.line)
    if record.column is None or not line.strip():
        return
    encoded, start = line.encode(), record.column - 1
    end = record.end_column if record.end_line == record.line and record.end_column else len(encoded)
    before, marked = (
        visible(part.decode(errors="replace").expandtabs(TAB))
        for part in (encoded[:start], encoded[start:end].rstrip())
    )
    margin = f"{record.line} "
    row = Text.assemble((f"{margin}| ", GUTTER), visible(line.expandtabs(TAB).rstrip()))
    row.truncate(width, overflow="ellipsis")
    beginning = len(margin) + 2 + cell_len(before)
    length = min(max(cell_len(marked), 1), width - beginning)
    if length < 1:
        return
    empty = Text(f"{' ' * len(margin)}| ", GUTTER)
    yield empty
    yield row
    yield Text.assemble(empty, " " * cell_len(before), (MARK * length, style))
