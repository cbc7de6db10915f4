"""``jaxtyping-core explain``."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

import click

from jaxtyping_core import pages
from jaxtyping_core.cli.command import Argument, command
from jaxtyping_core.cli.consoles import make_console
from jaxtyping_core.cli.options import offering
from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation.protocol import OWN_CODES

#: A link of Markdown to another page of the documentation.
LINK = re.compile(r"\]\((?P<page>(?![a-z]+:)[^)#\s]*?)(?P<section>#[^)\s]*)?\)")
#: What Markdown for the site has that a terminal has not: the names of files at the tops of blocks.
TITLE = re.compile(r'^(```\w+) title="[^"]*"$', re.MULTILINE)


@command(
    Argument(
        "code",
        metavar="[CODE]",
        required=False,
        help="An error code, such as array-shape.",
        shell_complete=offering(sorted(OWN_CODES)),
    )
)
def explain(code: str | None) -> None:
    """The page has the meaning of the code, a program that fails, the corrected program, and how to silence the code.
    Without CODE, the command lists all codes.

    \b
    Exit status:
      0  the page or the list was printed
      2  there is no such code
    """
    if code is None:
        width = max(map(len, OWN_CODES)) + 1
        for each in sorted(OWN_CODES):
            click.echo(f"{each:{width}}{pages.first_sentence(_text(each))}")
        return
    text = _with_addresses(TITLE.sub(r"\1", _text(code)), code)
    console = make_console()
    if console.is_terminal:
        from rich.markdown import Markdown  # which takes as long to import as all of ours

        console.print(Markdown(text))
    else:
        click.echo(text, nl=False)


def _text(code: str) -> str:
    if code not in OWN_CODES:
        known = ", ".join(sorted(OWN_CODES))
        raise CommandError(
            f"unknown error code {code!r}; the codes of jaxtyping-core are {known}; mypy explains its own at"
            " https://mypy.readthedocs.io/en/stable/error_code_list.html"
        )
    page = pages.page_of_code(code)
    if page is None:
        raise CommandError(f"the page about {code} is not installed; it is at {_address(f'{code}.md')}")
    return page.read_text(encoding="utf-8")


def _with_addresses(text: str, code: str) -> str:
    """The text of a page with the addresses of the site in place of links between its files."""
    return LINK.sub(lambda link: f"]({_address(link['page'] or f'{code}.md')}{link['section'] or ''})", text)


def _address(link: str) -> str:
    """The address of the page that a link in a page about a code leads to."""
    path = posixpath.normpath(posixpath.join(pages.CODES, link))
    name = Path(path).with_suffix("").as_posix()
    return pages.page(name.removesuffix("/index"))
