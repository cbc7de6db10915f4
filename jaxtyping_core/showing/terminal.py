"""The source on a terminal, with what is known in a column beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from jaxtyping_core.programs.places import Place
from jaxtyping_core.programs.report import Refusal
from jaxtyping_core.showing.listing import (
    Line,
    Listing,
    count,
    is_known,
    message,
    origin,
    summary,
    trail,
    value,
)

#: The styles of tokens; names of colours, so that the terminal chooses ones that can be read.
STYLES = {
    "comment": "dim italic",
    "string": "green",
    "number": "cyan",
    "keyword": "bold",
    "decorator": "magenta",
    "defined": "bold blue",
}
FACT, KNOWN, QUIET, ERROR = "", "yellow", "dim", "bold red"
TAB = 4
#: Between the source and what is known, and between two things that are.
GAP = 2
#: The part of the width that the source has at least, where the two do not fit beside each other.
SOURCE = 0.55
#: The narrowest column of facts, however narrow the terminal is.
NARROWEST = 20
#: What a terminal would obey instead of showing it.
CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def show(console: Console, shown: Sequence[Listing], notes: Sequence[str]) -> None:
    """Print files with what is known of them."""
    for listing in shown:
        _print(console, Text(visible(listing.file), style="bold underline"))
        for row in rows(listing, console):
            _print(console, row)
        _print(console, Text())
    _print(console, Text(summary(count(shown)), style="bold"))
    for note in notes:
        _print(console, Text(visible(f"note: {note}"), style=QUIET))


def _print(console: Console, text: Text) -> None:
    console.print(text, soft_wrap=True, highlight=False)


def rows(listing: Listing, console: Console) -> Iterator[Text]:
    """The rows of a file."""
    digits = len(str(len(listing.lines)))
    gutter = digits + GAP
    sources = [_source(line) for line in listing.lines]
    facts = [[_fact(place) for place in line.facts] for line in listing.lines]
    width = console.width - gutter
    start, column = _columns(sources, facts, width)
    for line, source, known in zip(listing.lines, sources, facts, strict=True):
        number = Text.assemble((f"{line.number:>{digits}}{' ' * GAP}", QUIET))
        yield from _beside(number, source, _filled(known, column), start, width)
        for refusal in line.refusals:
            for text in _refusal(refusal, line, console, width):
                yield Text(" " * gutter) + text


def _columns(sources: list[Text], facts: list[list[Text]], width: int) -> tuple[int, int]:
    """Where the column of facts begins, and how wide it is."""
    longest = max((source.cell_len for source, known in zip(sources, facts, strict=True) if known), default=0)
    needed = max((_length(known) for known in facts if known), default=0)
    if longest + GAP + needed <= width:
        return longest + GAP, needed
    widest = max(fact.cell_len for known in facts for fact in known)
    start = min(longest + GAP, max(round(width * SOURCE), width - widest))
    return start, max(width - start, NARROWEST)


def _length(known: list[Text]) -> int:
    return sum(fact.cell_len + GAP for fact in known) - GAP


def _filled(known: list[Text], width: int) -> list[Text]:
    """Facts in as few rows as they fit in."""
    filled: list[Text] = []
    for fact in known:
        if filled and filled[-1].cell_len + GAP + fact.cell_len <= width:
            filled[-1] = filled[-1] + Text(" " * GAP) + fact
        else:
            filled.append(fact)
    return filled


def _beside(number: Text, source: Text, facts: list[Text], start: int, width: int) -> Iterator[Text]:
    """A line of the source with rows of facts beside it; below it, where it leaves them no room."""
    begin = max(start, source.cell_len + GAP)
    first = facts[:1] if begin == start or begin + sum(fact.cell_len for fact in facts[:1]) <= width else []
    row = number + source
    if first:
        row += Text(" " * (begin - source.cell_len)) + first[0]
    yield row
    for fact in facts[len(first) :]:
        yield Text(" " * (number.cell_len + start)) + fact


def _source(line: Line) -> Text:
    text = Text()
    for token in line.tokens:
        text.append(visible(token.text), style=STYLES.get(token.kind, ""))
    text.expand_tabs(TAB)
    text.rstrip()
    return text


def _fact(place: Place) -> Text:
    known = value(place)
    return Text.assemble((f"{place.name}: ", FACT), (known, KNOWN if is_known(place) else QUIET))


def _refusal(refusal: Refusal, line: Line, console: Console, width: int) -> Iterator[Text]:
    """The rows of an error: what is wrong, below where it is, and the calls that lead there."""
    before = visible(line.text[: line.index(refusal.column)]).expandtabs(TAB)
    indent = min(cell_len(before), width // 2)
    told = [Text(visible(message(refusal)), style=ERROR)]
    told += [Text(visible(origin(made)), style=QUIET) for made in refusal.origins]
    told += [Text(visible(trail(step)), style=QUIET) for step in reversed(refusal.trail)]
    mark = Text("^ ", style=ERROR)
    for text in told:
        for row in text.wrap(console, max(width - indent - len(mark), NARROWEST)):
            row.rstrip()
            yield Text(" " * indent) + mark + row
            mark = Text("  ")


def visible(text: str) -> str:
    """A text without characters that a terminal would obey."""
    return CONTROLS.sub(REPLACEMENT, text)
