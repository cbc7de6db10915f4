"""Adds errors to what mypy reports, as mypy would report them itself."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from jaxtyping_core.checking.about import UNUSED, Selection
from jaxtyping_core.checking.messages import ERROR, Message, messages
from jaxtyping_core.checking.refused import Refused
from jaxtyping_core.evaluation.protocol import CODES
from jaxtyping_core.programs.report import Refusal
from jaxtyping_core.showing.listing import origin, trail

FOUND = re.compile(r"Found \d+ errors? in \d+ files? \((?:checked (\d+) source|errors prevented)")
#: Where in a function of the program an error is that mypy reports at a call of it.
INSIDE = re.compile(r": in \S+ \((?P<file>[^():]+):(?P<line>\d+)\): ")
#: In the place of mypy's word of success, where some program was not evaluated to its end.
PARTIAL = "No issues found, but {what} was evaluated (checked {files} source file{s})"
NOT_EVERYTHING, NOTHING = "not everything", "no program"
SUCCESS = re.compile(r"Success: .*?(\d+) source files?$")


class Errors:
    """mypy's errors as they go by; what is refused elsewhere comes after them, before the summary."""

    def __init__(self, selection: Selection | None = None) -> None:
        self._selection = selection or Selection()
        self._places: set[tuple[Path, int]] = set()
        self._files: set[Path] = set()
        #: mypy's reports of comments that ignore nothing, which may ignore one of our errors.
        self._unused: list[Message] = []
        #: mypy's errors at calls, each with where inside of the function it is: it may be told there.
        self._at_calls: list[tuple[tuple[str, int], Message]] = []
        #: The errors that mypy reported, and those of them that are shown.
        self._told = self._count = 0
        self._summary: Message | None = None
        self.added = 0
        #: Whether no program was evaluated, of one or more.
        self.is_nothing = False

    def watch(self, lines: Iterable[str]) -> Iterator[str]:
        """mypy's lines without the summary."""
        for message in messages(lines):
            if message.severity != ERROR:
                if not message.severity and (FOUND.match(message.text) or SUCCESS.match(message.text)):
                    self._summary = message
                    continue
                yield from self._selected(message)
            elif message.code == UNUSED:
                self._told += 1
                self._unused.append(message)
            elif inside := INSIDE.search(message.text):
                self._told += 1
                self._at_calls.append(((inside["file"], int(inside["line"])), message))
            else:
                self._told += 1
                yield from self._selected(message)

    def _selected(self, message: Message) -> Iterator[str]:
        if self._selection.takes(message):
            if message.severity == ERROR:
                self._note(message.place)
            yield from message.lines

    def rest(self, refused: Refused | None) -> Iterator[str]:
        """What is refused at other lines than those of mypy's errors, and the summary."""
        used = refused.used if refused else set()
        for message in self._unused:
            if message.place not in used and self._selection.takes(message):
                # It is no error of the line's own: what is refused there is another one.
                self._count += 1
                self._files.add(message.place[0])
                yield from message.lines
        told = _calls_of(refused.refusals if refused else ())
        for inside, message in self._at_calls:
            if (inside, message.place) not in told:
                yield from self._selected(message)
        for refusal in refused.refusals if refused else ():
            path = Path(refusal.file).resolve()
            # mypy's errors of a call's arguments are where these are.
            lines = range(refusal.line, max(refusal.line, refusal.end_line) + 1)
            if refused and not any(self._reported((path, line)) for line in lines):
                self.added += 1
                self._files.add(path)
                yield from _lines(refusal, refused)
        self.is_nothing = refused is not None and refused.is_nothing
        yield from self._summed(refused is not None and refused.is_partial)

    def _summed(self, is_partial: bool) -> Iterator[str]:
        """The summary, of what is shown."""
        if self._summary is None:
            return
        match = FOUND.match(self._summary.text) or SUCCESS.match(self._summary.text)
        checked, count = match[1] if match else None, self._count + self.added
        if checked and is_partial and not count:
            what = NOTHING if self.is_nothing else NOT_EVERYTHING
            yield PARTIAL.format(what=what, files=checked, s="s" * (checked != "1"))
            return
        if (self._count, self.added) == (self._told, 0):
            yield from self._summary.lines
            return
        from mypy.util import FancyFormatter

        formatter = FancyFormatter(sys.stdout, sys.stderr, False)
        files, number = len(self._files), int(checked or 0)
        colored = self._summary.lines != [self._summary.text]
        if count:
            yield formatter.format_error(count, files, number, blockers=not checked, use_color=colored)
        elif checked:
            yield formatter.format_success(number, use_color=colored)

    def status(self, status: int) -> int:
        """The exit status; `status` is mypy's."""
        # Comments may be not unused after all, and the other errors not shown.
        if status == 1 and not self._count and (self._told or self._selection.has_left_out):
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
    calls = [trail(step) for step in reversed(refusal.trail)]
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
        yield color(f"{_shown(each.file)}:{each.line}: note: {each.name}: {each.value} is assigned here")
    for call in calls:
        yield color(f"{place}: note: {call}")
