"""Adds errors to what mypy reports, as mypy would report them itself."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from jaxtyping_core.checking import summary
from jaxtyping_core.checking.engine_errors import Refused
from jaxtyping_core.checking.findings import notes, told
from jaxtyping_core.checking.formats import Diagnostic
from jaxtyping_core.checking.messages import ERROR, Message, messages
from jaxtyping_core.checking.sieve import Sieve
from jaxtyping_core.programs.report import Refusal
from jaxtyping_core.severities import INFO, UNUSED

FOUND = re.compile(r"Found \d+ errors? in \d+ files? \((?:checked (\d+) source|errors prevented)")
#: Where in a function of the program an error is that mypy reports at a call of it.
INSIDE = re.compile(r": in \S+ \((?P<file>[^():]+):(?P<line>\d+)\): ")
SUCCESS = re.compile(r"Success: .*?(\d+) source files?$")


class Errors:
    """mypy's errors as they go by; what is refused elsewhere comes after them, before the summary."""

    def __init__(self, sieve: Sieve) -> None:
        self._sieve = sieve
        self._places: set[tuple[Path, int]] = set()
        self._files: set[Path] = set()
        #: mypy's reports of comments that ignore nothing, which may ignore one of our errors.
        self._unused: list[Message] = []
        #: mypy's errors at calls, each with where inside of the function it is: it may be told there.
        self._at_calls: list[tuple[tuple[str, int], Message]] = []
        #: The errors that mypy reported, and those of them that are shown.
        self._told = self._count = 0
        self._summary: Message | None = None
        #: How many of ours were added, by their severities.
        self.added: Counter[str] = Counter()
        #: Whether no program was evaluated, of one or more.
        self.is_nothing = False

    def watch(self, lines: Iterable[str]) -> Iterator[str]:
        """mypy's lines without the summary."""
        for message in messages(lines):
            if message.severity != ERROR:
                if not message.severity and (FOUND.match(message.text) or SUCCESS.match(message.text)):
                    self._summary = message
                    continue
                yield from message.lines
            elif not self._sieve.keeps(_record(message)):
                self._told += 1
            elif message.code == UNUSED:
                self._told += 1
                self._unused.append(message)
            elif inside := INSIDE.search(message.text):
                self._told += 1
                self._at_calls.append(((inside["file"], int(inside["line"])), message))
            else:
                self._told += 1
                self._note(message.place)
                yield from message.lines

    def rest(self, refused: Refused | None) -> Iterator[str]:
        """What is refused at other lines than those of mypy's errors, and the summary."""
        used = refused.used if refused else set()
        for message in self._unused:
            if message.place not in used:
                # It is no error of the line's own: what is refused there is another one.
                self._count += 1
                self._files.add(message.place[0])
                yield from message.lines
        calls = _calls_of(refused.refusals if refused else ())
        for inside, message in self._at_calls:
            if (inside, message.place) not in calls:
                self._note(message.place)
                yield from message.lines
        for refusal in refused.refusals if refused else ():
            path = Path(refusal.file).resolve()
            # mypy's errors of a call's arguments are where these are.
            lines = range(refusal.line, max(refusal.line, refusal.end_line) + 1)
            # It reports no warnings.
            is_new = refusal.severity != ERROR or not any(self._reported((path, line)) for line in lines)
            if refused and is_new and self._sieve.keeps(told(refusal)):
                self.added[refusal.severity] += 1
                self._files.add(path)
                yield from _lines(refusal, refused)
        self.is_nothing = refused is not None and refused.is_nothing
        yield from self._summed(refused is not None and refused.is_partial)

    def _summed(self, is_partial: bool) -> Iterator[str]:
        """The summary, of what is shown."""
        if self._summary is None:
            return
        match = FOUND.match(self._summary.text) or SUCCESS.match(self._summary.text)
        checked, counts = match[1] if match else None, self.added + Counter({ERROR: self._count})
        if checked and is_partial and not counts:
            yield summary.partial(int(checked), self.is_nothing)
            return
        if self._count == self._told and not self.added:
            yield from self._summary.lines
            return
        from mypy.util import FancyFormatter

        formatter = FancyFormatter(sys.stdout, sys.stderr, False)
        files, number = len(self._files), int(checked or 0)
        colored = self._summary.lines != [self._summary.text]
        if counts:
            text = summary.findings(counts, files, number)
            yield formatter.style(text, "red", bold=True) if colored else text
        elif checked:
            yield formatter.format_success(number, use_color=colored)

    def status(self, status: int) -> int:
        """The exit status; `status` is mypy's."""
        if status == 1 and not self._count and self._told:  # comments may be not unused after all
            status = 0
        return status or int(any(severity != INFO for severity in self.added))

    def _reported(self, place: tuple[Path, int]) -> bool:
        """Whether mypy reports an error there; from its cache it may do so under the path of an earlier run."""
        stray = {(path.name, line) for path, line in self._places if not path.exists()}
        return place in self._places or (place[0].name, place[1]) in stray

    def _note(self, place: tuple[Path, int]) -> None:
        self._count += 1
        self._files.add(place[0])
        self._places.add(place)


def _record(message: Message) -> Diagnostic:
    """What a message says, as far as it matters whether it is reported."""
    line = message.line or None
    return Diagnostic(
        message.file, line, None, line, None, message.severity, message.code, message.text, None
    )


def _calls_of(refusals: Iterable[Refusal]) -> set[tuple[tuple[str, int], tuple[Path, int]]]:
    """Where each refusal is, by the name of the file, with each of the calls that lead there."""
    return {
        ((Path(refusal.file).name, refusal.line), (Path(step.file).resolve(), step.line))
        for refusal in refusals
        for step in refusal.trail
    }


def _lines(refusal: Refusal, refused: Refused) -> Iterator[str]:
    """An error and its notes, in the form that mypy's own have under its options."""
    options, record = refused.options, told(refusal)
    assert options is not None
    if options.output == "json":
        yield json.dumps(
            {**record._asdict(), "column": refusal.column}
        )  # the only number of mypy's that counts from 0
        return
    place = f"{record.file}:{record.line}"
    if options.show_column_numbers or options.show_error_end:
        place += f":{record.column}"
    if options.show_error_end:
        place += f":{record.end_line}:{record.end_column}"
    from mypy.util import FancyFormatter

    formatter = FancyFormatter(sys.stdout, sys.stderr, options.hide_error_codes)
    color = formatter.colorize if options.color_output else str
    yield color(
        f"{place}: {record.severity}: {record.message}"
        + ("" if options.hide_error_codes else f"  [{record.code}]")
    )
    for note in notes(refusal):
        yield color(f"{note.place or place}: note: {note.text}")
