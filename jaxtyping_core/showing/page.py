"""The source as one HTML page that needs nothing else, with what is known in the margin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

from jaxtyping_core import __version__
from jaxtyping_core.programs.places import Place
from jaxtyping_core.programs.report import Refusal, Step
from jaxtyping_core.showing.listing import (
    OPEN,
    Line,
    Listing,
    caller,
    count,
    is_known,
    message,
    plural,
    summary,
    value,
)
from jaxtyping_core.showing.tokens import Token

STYLE = Path(__file__).with_name("page.css")
#: What the browser may load: nothing but the style in the page.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
#: The classes of tokens whose kind is the class of something else.
TOKENS = {"number": "numeral"}
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="generator" content="jaxtyping-core {version}">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{title}</h1>
<p>{summary}</p>
{overview}{errors}</header>
<main>
{files}</main>
<footer>
{notes}<p>Written by jaxtyping-core {version}. What stands beside a line holds in every run; \
<span class="open">{open}</span> is what is not known.</p>
</footer>
</body>
</html>
"""


def page(shown: Sequence[Listing], notes: Sequence[str]) -> str:
    """The page on some files."""
    ids = {listing.file: f"f{i}" for i, listing in enumerate(shown, 1)}
    title = shown[0].file if len(shown) == 1 else f"{plural(len(shown), 'file')} of Python"
    return PAGE.format(
        policy=POLICY,
        title=escape(title),
        style=STYLE.read_text(encoding="utf-8"),
        summary=escape(summary(count(shown))),
        overview=_overview(shown, ids) if len(shown) > 1 else "",
        errors=_errors(shown, ids),
        files="".join(_file(listing, ids, len(shown) > 1) for listing in shown),
        notes=_notes(notes),
        version=__version__,
        open=OPEN,
    )


def _overview(shown: Sequence[Listing], ids: Mapping[str, str]) -> str:
    """What is known, file by file."""
    heads = ("file", "places", "dtype", "rank", "shape", "", "errors")
    rows = [f"<tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>\n"]
    for listing in shown:
        counts = count([listing])
        part = round(100 * counts.shapes / counts.places) if counts.places else 0
        cells = [f"<td>{number}</td>" for number in counts]
        bar = f'<td class="bar" title="{part} % of the shapes"><i style="width: {part}%"></i></td>'
        link = f'<td><a href="#{ids[listing.file]}">{escape(listing.file)}</a></td>'
        rows.append(f"<tr>{link}{''.join(cells[:-1])}{bar}{cells[-1]}</tr>\n")
    return f"<table>\n{''.join(rows)}</table>\n"


def _errors(shown: Sequence[Listing], ids: Mapping[str, str]) -> str:
    """Links to the errors."""
    links = [
        f"<li>{_place(refusal.file, refusal.line, ids)} {escape(message(refusal).partition(chr(10))[0])}</li>\n"
        for listing in shown
        for refusal in listing.refusals
    ]
    return f"<h3>Errors</h3>\n<ul>\n{''.join(links)}</ul>\n" if links else ""


def _place(file: str, line: int, ids: Mapping[str, str]) -> str:
    """A line of a file; a link to it, if it is on the page."""
    place = f"{escape(file)}:{line}"
    return f'<a href="#{_anchor(ids[file], line)}">{place}</a>' if file in ids else place


def _anchor(file: str, line: int) -> str:
    return f"{file}-{line}"


def _file(listing: Listing, ids: Mapping[str, str], with_name: bool) -> str:
    name = ids[listing.file]
    head = f"<h2>{escape(listing.file)}</h2>\n<p>{escape(summary(count([listing])))}</p>\n"
    lines = "".join(part for line in listing.lines for part in _line(line, ids, name))
    return f'<section id="{name}">\n{head * with_name}<div class="code">\n{lines}</div>\n</section>\n'


def _line(line: Line, ids: Mapping[str, str], file: str) -> Iterator[str]:
    """A line of the source with its facts, and the errors in it below."""
    anchor = _anchor(file, line.number)
    number = f'<a class="number" href="#{anchor}">{line.number}</a>'
    facts = "".join(map(_fact, line.facts))
    source = f'<code class="source">{_source(line)}</code>'
    yield f'<div class="line" id="{anchor}">{number}{source}<div class="facts">{facts}</div></div>\n'
    yield from (_refusal(refusal, ids) for refusal in line.refusals)


def _source(line: Line) -> str:
    """The tokens of a line; a name whose value is a place says so when it is pointed at."""
    places = {(line.index(place.column), place.name): place for place in line.facts}
    wrong = min((line.index(refusal.column) for refusal in line.refusals), default=len(line.text))
    written, start = ["", ""], 0
    for token in line.tokens:
        written[start >= wrong] += _token(token, places.get((start, token.text)))
        start += len(token.text)
    return f'{written[0]}<span class="wrong">{written[1]}</span>' if line.refusals else written[0]


def _token(token: Token, place: Place | None) -> str:
    style, told = TOKENS.get(token.kind, token.kind), ""
    if place is not None:
        style, told = "known" if is_known(place) else "open", f' title="{escape(_told(place))}"'
    return f'<span class="{style}"{told}>{escape(token.text)}</span>' if style else escape(token.text)


def _told(place: Place) -> str:
    """A place in words."""
    agreed = f", in {plural(place.calls, 'evaluated call')}" if place.calls else ""
    return f"{place.name}: {value(place)}{agreed}" if is_known(place) else f"{place.name}: not known"


def _fact(place: Place) -> str:
    name = f"<b>{escape(place.name)}</b>"
    if not is_known(place):
        return f'<span class="fact open">{name}{OPEN}</span>'
    dtype, _, rest = value(place).partition("[")
    sizes, _, suffix = rest.rpartition("]")
    known = f'<span class="dtype">{escape(dtype)}</span>[<span class="size">{escape(sizes)}</span>]{escape(suffix)}'
    return f'<span class="fact" title="{escape(_told(place))}">{name}{known}</span>'


def _refusal(refusal: Refusal, ids: Mapping[str, str]) -> str:
    told = [
        f"{escape(made.what)}, {escape(made.how)} at {_place(made.file, made.line, ids)}"
        for made in refusal.origins
    ]
    steps = "".join(
        f"<li>{item}</li>" for item in [*told, *(_step(step, ids) for step in reversed(refusal.trail))]
    )
    return f'<div class="error">{escape(message(refusal))}{f"<ol>{steps}</ol>" if steps else ""}</div>\n'


def _step(step: Step, ids: Mapping[str, str]) -> str:
    place = _place(step.file, step.line, ids)
    return caller(replace(step, caller=escape(step.caller)), place) + (
        f" with {escape(step.arguments)}" if step.arguments else ""
    )


def _notes(notes: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(note)}</li>\n" for note in notes)
    return f"<h3>Notes</h3>\n<ul>\n{items}</ul>\n" if items else ""
