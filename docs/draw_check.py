"""Draws the picture of the README: what `jaxtyping-core check` says about the example with mistakes.

``python docs/draw_check.py`` writes ``docs/check.svg``.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

from mypy.util import soft_wrap
from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
PROGRAM = "language_model_mistakes.py"
WIDTH = 118
ERROR = re.compile(r"(?P<place>[^ ]+:\d+:) error: (?P<message>.*)")


def main() -> None:
    command = [sys.executable, "-m", "jaxtyping_core", "check", PROGRAM]
    done = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, check=False)
    lines = (EXAMPLES / PROGRAM).read_text().splitlines()
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    console.print(Text(f"$ jaxtyping-core check {PROGRAM}", style="bold"))
    for line in done.stdout.splitlines():
        console.print(render(line, lines))
    (HERE / "check.svg").write_text(console.export_svg(title="jaxtyping-core check", unique_id="check"))


def render(line: str, source: list[str]) -> Text:
    """A message, coloured as mypy colours it, under the line of code that it is about."""
    match = ERROR.fullmatch(line)
    if match is None:
        return Text(line, style="bold")
    line_of_code = source[int(match["place"].split(":")[1]) - 1].partition("  # expect")[0].strip()
    # As mypy breaks lines: types, which are in quotes, stay whole.
    wrapped = soft_wrap(match["message"], WIDTH, len(f"{match['place']} error: "))
    message, bracket, code = wrapped.rpartition("[")
    return Text.assemble(
        (f"\n    {line_of_code}\n", "cyan"),
        match["place"],
        (" error: ", "bold red"),
        message,
        (bracket + code, "yellow"),
    )


if __name__ == "__main__":
    main()
