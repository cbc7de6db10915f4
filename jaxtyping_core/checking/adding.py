"""Adds errors to what mypy reports, as mypy would report them itself."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from jaxtyping_core.checking.refused import Refused
from jaxtyping_core.evaluation.protocol import CODES
from jaxtyping_core.programs.report import Refusal
from jaxtyping_core.showing.listing import origin, trail

ESCAPE = re.compile(r"\x1b\[[0-9;:]*[A-Za-z]|\x1b\([A-Z0-9]|\x0f")
ERROR = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::\d+)*: error: ")
FOUND = re.compile(r"Found \d+ errors? in \d+ files? \(checked (\d+) source")
#: Where in a function of the program an error is that mypy reports at a call of it.
INSIDE = re.compile(r": in \S+ \((?P<file>[^():]+):(?P<line>\d+)\): ")
#: The code of a comment that ignores nothing.
UNUSED = "unused-ignore"
#: In the place of mypy's word of success, where some program was not evaluated to its end.
PARTIAL = "No issues found, but not everything was evaluated (checked {files} source file{s})"
SUCCESS = re.compile(r"Success: .*?(\d+) source files?$")


class Errors:
    """mypy's errors as they go by; what is refused elsewhere comes after them, before the summary."""

    def __init__(self) -> None:
        self._places: set[tuple[Path, int]] = set()
        self._files: set[Path] = set()
        #: mypy's reports of comments that ignore nothing, which may ignore one of our errors.
        self._unused: list[tuple[tuple[Path, int], str]] = []
        #: mypy's errors at calls, each with where inside of the function it is: it may be told there.
        self._at_calls: list[tuple[tuple[Path, int], tuple[str, int], str]] = []
        #: The errors that mypy reported, and those of them that are shown.
        self._told = self._count = 0
        self._summary: str | None = None
        self.added = 0

    def watch(self, lines: Iterable[str]) -> Iterator[str]:
        """mypy's lines without the summary."""
        for line in lines:
            plain = ESCAPE.sub("", line)
            if FOUND.match(plain) or SUCCESS.match(plain):
                self._summary = line
                continue
            file, number = _place(plain)
            if file is not None:
                place = (Path(file).resolve(), number)
                self._told += 1
                if UNUSED in plain:
                    self._unused.append((place, line))
                    continue
                if inside := INSIDE.search(plain):
                    self._at_calls.append((place, (inside["file"], int(inside["line"])), line))
                    continue
                self._note(place)
            yield line

    def rest(self, refused: Refused | None) -> Iterator[str]:
        """What is refused at other lines than those of mypy's errors, and the summary."""
        used = refused.used if refused else set()
        for place, line in self._unused:
            if place not in used:
                # It is no error of the line's own: what is refused there is another one.
                self._count += 1
                self._files.add(place[0])
                yield line
        told = _calls_of(refused.refusals if refused else ())
        for place, inside, line in self._at_calls:
            if (inside, place) not in told:
                self._note(place)
                yield line
        for refusal in refused.refusals if refused else ():
            path = Path(refusal.file).resolve()
            # mypy's errors of a call's arguments are where these are.
            lines = range(refusal.line, max(refusal.line, refusal.end_line) + 1)
            if refused and not any(self._reported((path, line)) for line in lines):
                self.added += 1
                self._files.add(path)
                yield from _lines(refusal, refused)
        if self._summary is None:
            return
        match = FOUND.match(plain := ESCAPE.sub("", self._summary)) or SUCCESS.match(plain)
        if match and refused and refused.is_partial and not (self._count + self.added):
            yield PARTIAL.format(files=match[1], s="s" * (match[1] != "1"))
            return
        if not match or (self._count, self.added) == (self._told, 0):
            yield self._summary
            return
        from mypy.util import FancyFormatter

        formatter = FancyFormatter(sys.stdout, sys.stderr, False)
        colored, count, checked = plain != self._summary, self._count + self.added, int(match[1])
        if count:
            yield formatter.format_error(count, len(self._files), checked, use_color=colored)
        else:
            yield formatter.format_success(checked, use_color=colored)

    def status(self, status: int) -> int:
        """The exit status; `status` is mypy's."""
        if status == 1 and self._told and not self._count:  # of comments that are not unused after all
            status = 0
        return status or int(bool(self.added))

    def _reported(self, place: tuple[Path, int]) -> bool:
        """Whether mypy reports an error there; from its cache it may do so under the path of an earlier run."""
        stray = {(path.name, line) for path, line in self._places if not path.exists()}
        return place in self._places or (place[0].name, place[1]) in stray

    def _note(self, place: tuple[Path, int]) -> None:
        self._count += 1
        self._files.add(place[0])
        self._places.add(place)


def _calls_of(refusals: Iterable[Refusal]) -> set[tuple[tuple[str, int], tuple[Path, int]]]:
    """Where each refusal is, by the name of the file, with each of the calls that lead there."""
    return {
        ((Path(refusal.file).name, refusal.line), (Path(step.file).resolve(), step.line))
        for refusal in refusals
        for step in refusal.trail
    }


def _place(line: str) -> tuple[str | None, int]:
    """The file and the line of an error in a line of mypy's, whether text or JSON."""
    if line.startswith("{"):
        try:
            record = json.loads(line)
            return (record["file"], record["line"]) if record["severity"] == "error" else (None, 0)
        except (ValueError, LookupError):
            return None, 0
    match = ERROR.match(line)
    return (match["file"], int(match["line"])) if match else (None, 0)


def _shown(file: str) -> str:
    """A file as mypy writes it: from the current folder where it is in there."""
    path = Path(file).resolve()
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)


def _lines(refusal: Refusal, refused: Refused) -> Iterator[str]:
    """An error and its notes, in the form that mypy's own have under its options."""
    options, code, file = refused.options, CODES[refusal.kind], _shown(refusal.file)
    assert options is not None
    message = " ".join(refusal.message.split())
    made = [origin(each) for each in refusal.origins]
    calls = [trail(step) for step in refusal.trail]
    if options.output == "json":
        yield json.dumps(
            {
                "file": file,
                "line": refusal.line,
                "column": refusal.column,
                "end_line": refusal.end_line or refusal.line,
                "end_column": refusal.end_column or refusal.column + 1,
                "message": message,
                "hint": "\n".join(made + calls) or None,
                "code": code,
                "severity": "error",
            }
        )
        return
    place = f"{file}:{refusal.line}"
    if options.show_column_numbers or options.show_error_end:
        place += f":{refusal.column + 1}"
    if options.show_error_end:
        place += f":{refusal.end_line or refusal.line}:{refusal.end_column or refusal.column + 1}"
    from mypy.util import FancyFormatter

    formatter = FancyFormatter(sys.stdout, sys.stderr, options.hide_error_codes)
    color = formatter.colorize if options.color_output else str
    yield color(f"{place}: error: {message}" + ("" if options.hide_error_codes else f"  [{code}]"))
    for each in refusal.origins:
        yield color(f"{_shown(each.file)}:{each.line}: note: {each.name}: {each.value} is from here")
    for call in calls:
        yield color(f"{place}: note: {call}")
