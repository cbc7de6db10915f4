"""Writes ``docs/reference/commands.md`` from the command line itself: ``python docs/commands.py``."""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from jaxtyping_core.cli.app import app
from jaxtyping_core.cli.listing import COMMANDS

PAGE = Path(__file__).parent / "reference" / "commands.md"
HEAD = """\
# Commands

`jaxtyping-core COMMAND --help` prints the same on your terminal. This page is generated from it.

Your shell completes commands, options, formats and error codes after one line in its configuration:

| shell | file | line |
| --- | --- | --- |
| bash | `~/.bashrc` | `eval "$(jaxtyping-core --completion bash)"` |
| zsh | `~/.zshrc`, after `compinit` | `eval "$(jaxtyping-core --completion zsh)"` |
| fish | `~/.config/fish/config.fish` | <code>jaxtyping-core --completion fish &#124; source</code> |

| command | what it does |
| --- | --- |
"""


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """The text of the page."""
    commands = visible_commands()
    rows = (f"| [`{name}`](#{name}) | {summary(command)} |\n" for name, command in commands.items())
    sections = ("\n".join(section(name, command)) for name, command in commands.items())
    return HEAD + "".join(rows) + "\n" + "\n".join(sections)


def visible_commands() -> dict[str, Any]:
    """The commands by their names, in the order of the page."""
    return {name: app.get_command(click.Context(app), name) for name in COMMANDS}


def summary(command: Any) -> str:
    """The first sentence of a command's help."""
    return " ".join(command.help.partition("\n\n")[0].split())


def section(name: str, command: Any) -> Iterator[str]:
    """The lines about a command."""
    context = command.make_context(name, [], resilient_parsing=True)
    yield f"## {name}\n"
    yield f"```text\njaxtyping-core {name} {' '.join(command.collect_usage_pieces(context))}\n```\n"
    yield from (f"{paragraph}\n" for paragraph in map(as_markdown, command.help.strip().split("\n\n")))
    for title, kind in (("argument", "argument"), ("option", "option")):
        rows = [
            row
            for item in command.params
            if item.param_type_name == kind and (row := described(item, context))
        ]
        if rows:
            yield f"| {title} | meaning |\n| --- | --- |\n" + "\n".join(rows) + "\n"


def as_markdown(paragraph: str) -> str:
    """A paragraph of help; one whose lines stay as they are is a title and its list."""
    if not paragraph.startswith("\b"):
        return paragraph
    title, *items = paragraph.splitlines()[1:]
    return f"{title}\n\n" + "\n".join(re.sub(r"^\s*(\S+)\s+", r"- `\1`: ", item) for item in items)


def described(item: Any, context: Any) -> str | None:
    """The row of an argument or an option; None for one that the help doesn't show."""
    record = item.get_help_record(context)
    if record is None:
        return None
    spelling = record[0]
    # The path of this machine's Python is the default of an option.
    words = " ".join(record[1].replace(sys.executable, "the Python that runs the command").split())
    return f"| {as_code(spelling)} | {words.replace('|', '&#124;')} |"


def as_code(text: str) -> str:
    """Code in a cell of a table, where a vertical bar would end the cell."""
    return f"<code>{html.escape(text).replace('|', '&#124;')}</code>" if "|" in text else f"`{text}`"


def option_names() -> dict[str, set[str]]:
    """The options of each command; those of the command line itself under an empty name."""
    commands = {"": app, **visible_commands()}
    return {
        name: {
            "--help",
            *(spelling for item in command.params for spelling in (*item.opts, *item.secondary_opts)),
        }
        for name, command in commands.items()
    }


if __name__ == "__main__":
    main()
