"""Draws the pictures of the README: what `jaxtyping-core` says about the examples.

``python docs/draw.py`` writes ``docs/images/show.svg`` and ``docs/images/check.svg``.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
SHOWN, CHECKED = "train.py", "language_model_mistakes.py"
#: The part of the first one that is drawn, by the lines that begin it and follow it.
FIRST, AFTER = "def init", "@jax.jit"
WIDTH = 118
ERROR = re.compile(r"(?P<place>[^ ]+:\d+:) error: (?P<message>.*)")
NOTE = re.compile(r"(?P<place>[^ ]+:\d+:) note: (?P<message>.*)")


def main() -> None:
    for name, picture in pictures():
        (HERE / "images" / name).write_text(picture)


def pictures() -> Iterator[tuple[str, str]]:
    """The names of the pictures, and what is in their files."""
    for command, program, draw in (("show", SHOWN, shown), ("check", CHECKED, checked)):
        console = Console(record=True, width=WIDTH, file=io.StringIO())
        console.print(Text(f"$ jaxtyping-core {command} {program}", style="bold"))
        for text in draw(run(command, program)):
            console.print(text)
        yield f"{command}.svg", console.export_svg(title=f"jaxtyping-core {command}", unique_id=command)


def run(command: str, program: str) -> list[str]:
    """The lines that a command prints; those of `show` in colours."""
    arguments = [sys.executable, "-m", "jaxtyping_core", command, program]
    terminal = {"COLUMNS": str(WIDTH), "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    environment = {**os.environ, **(terminal if command == "show" else {})}
    done = subprocess.run(
        arguments, cwd=EXAMPLES, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines()


def shown(lines: list[str]) -> Iterator[Text]:
    """A part of the source with what is known of it, and the summary."""
    texts = [Text.from_ansi(line) for line in lines]
    first, after = (
        next(i for i, text in enumerate(texts) if words in text.plain) for words in (FIRST, AFTER)
    )
    while not texts[after - 1].plain.lstrip(" 0123456789"):
        after -= 1
    yield from (texts[0], Text("..."), *texts[first:after], Text("..."), texts[-1])


def checked(lines: list[str]) -> Iterator[Text]:
    """The messages under their lines of code."""
    source = (EXAMPLES / CHECKED).read_text().splitlines()
    return (render(line, source) for line in lines)


def render(line: str, source: list[str]) -> Text:
    """A message in the colours of `check`, an error under the line of code that it is about."""
    if note := NOTE.fullmatch(line):
        return Text.assemble(note["place"], (" note: ", "blue"), note["message"])
    match = ERROR.fullmatch(line)
    if match is None:
        return Text(f"\n{line}", style="bold")
    line_of_code = source[int(match["place"].split(":")[1]) - 1].partition("  # expect")[0].strip()
    message, bracket, code = match["message"].rpartition("[")
    return Text.assemble(
        (f"\n    {line_of_code}\n", "cyan"),
        match["place"],
        (" error: ", "bold red"),
        message,
        (bracket + code, "yellow"),
    )


if __name__ == "__main__":
    main()
