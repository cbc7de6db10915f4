"""What an editor shows of a file: the last answer about it, where its lines are now."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path

from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.domain.formatting import spell
from jaxtyping_core.lsp.configuration import Configuration
from jaxtyping_core.lsp.documents import Document, Part
from jaxtyping_core.lsp.pages import link_of
from jaxtyping_core.lsp.position_mapping import Shift, shift_between
from jaxtyping_core.lsp.records import Answer, Edit, Fix, Hint, Known, Problem, Span
from jaxtyping_core.lsp.spelling import annotation, short
from jaxtyping_core.programs.places import RETURN
from jaxtyping_core.reading import NEWLINE
from jaxtyping_core.severities import ERROR, INFO, WARNING
from jaxtyping_core.showing.listing import OBSERVED

#: The source that editors name beside a diagnostic.
NAME = "jaxtyping-core"
#: The severities of findings in the words of the protocol.
SEVERITY = {
    ERROR: types.DiagnosticSeverity.Error,
    WARNING: types.DiagnosticSeverity.Warning,
    INFO: types.DiagnosticSeverity.Information,
}
WORD = re.compile(r"[^\W\d]\w*")
#: Names and numbers, and names with dots between them.
WORDS, DOTTED = re.compile(r"\d+\.\d*|\w+"), re.compile(r"[\w.]+")
#: Counts the units of a text in which the editor counts.
Units = Callable[[str], int]


@dataclass(frozen=True)
class Shown:
    """An answer, the text that it is about, and what is in the editor now. Lines are those of the program, but for the editor's own."""

    answer: Answer
    text: str
    now: Document
    units: Units

    @cached_property
    def _lines(self) -> list[str]:
        return NEWLINE.split(self.now.text)

    @cached_property
    def _shift(self) -> Shift:
        if self.text == self.now.text:
            return Shift(len(self._lines), 0, 0, {})
        return shift_between(NEWLINE.split(self.text), self._lines)

    def position(self, line: int, column: int) -> types.Position:
        """A place of the text of now, as the editor counts."""
        return types.Position(line - self.now.at(line).first, self.units(self._lines[line][:column]))

    def column(self, line: int, character: int) -> int:
        """The character of a line at which the cursor is, which the editor counts in units."""
        text = self._lines[line] if line < len(self._lines) else ""
        if text.isascii():
            return character
        return next((i for i in range(len(text)) if self.units(text[:i]) >= character), len(text))

    def place(self, span: Span) -> types.Range:
        """A part of the text of now."""
        return types.Range(
            self.position(span.line, span.column), self.position(span.end_line, span.end_column)
        )

    def _moved(self, span: Span) -> Span | None:
        """Where a part is now; None if it has been edited."""
        first, last = self._shift.line(span.line), self._shift.line(span.end_line)
        if first is None or last is None or last - first != span.end_line - span.line:
            return None
        return span._replace(line=first, end_line=last)

    def inlay_hints(self, uri: str, lines: range, configuration: Configuration) -> list[types.InlayHint]:
        """The hints in some lines of a document."""
        if configuration.hints == "off":
            return []
        text_of = short if configuration.hints == "short" else spell
        return [
            self._inlay_hint(hint, line, f"{text_of(hint.array)}{OBSERVED * hint.is_observed}")
            for hint, line in self._hints(uri, lines)
        ]

    def _hints(self, uri: str, lines: range) -> Iterator[tuple[Hint, int]]:
        for hint in self.answer.hints:
            line = self._shift.line(hint.line)
            if line is not None and self._is_in(line, uri, lines):
                yield hint, line

    def _inlay_hint(self, hint: Hint, line: int, value: str) -> types.InlayHint:
        follows_name = hint.kind != RETURN and not hint.annotation
        label = f": {value}" if follows_name else f"-> {value}" if hint.kind == RETURN else value
        text = self._insertion(hint)
        position = self.position(line, hint.column)
        return types.InlayHint(
            position,
            label,
            types.InlayHintKind.Type,
            text_edits=[types.TextEdit(types.Range(position, position), text)] if text else None,
            padding_left=not follows_name,
        )

    def _insertion(self, hint: Hint) -> str | None:
        """What may be inserted after a name as its annotation; None if a name in it means nothing in the file."""
        text = annotation(hint.array, self.answer.jaxtyping) if hint.insertable else None
        if text is None or hint.annotation:
            return None
        words = WORD.findall(text.partition('"')[0]) if self.answer.jaxtyping else WORD.findall(text)
        return f": {text}" if {*words} <= {*self.answer.names} else None

    def _is_in(self, line: int, uri: str, lines: range) -> bool:
        """Whether a line of the program is one of some of a document."""
        part = self.now.at(line)
        return part.uri == uri and line - part.first in lines

    def actions(self, uri: str, lines: range) -> list[types.CodeAction]:
        """An action for each annotation that can be inserted in some lines of a document."""
        actions = []
        for hint, line in self._hints(uri, lines):
            text = self._insertion(hint)
            if text:
                title = f"Annotate {hint.target}{text}"
                edit = self.edit([Edit(Span(line, hint.column, line, hint.column), text)])
                actions.append(types.CodeAction(title, types.CodeActionKind.RefactorRewrite, edit=edit))
        return actions

    def edit(self, edits: Iterable[Edit]) -> types.WorkspaceEdit:
        """Edits of the program, as edits of the editor's documents."""
        changes: dict[str, list[types.TextEdit]] = {}
        for edit in edits:
            made = types.TextEdit(self.place(edit.span), edit.text)
            changes.setdefault(self.now.at(edit.span.line).uri, []).append(made)
        return types.WorkspaceEdit(changes=changes)

    def annotatable(self, uri: str, lines: range) -> Iterator[types.CodeAction]:
        """An action for each function in some lines that can be annotated; what it edits is found when it is chosen."""
        if self.text != self.now.text or len(self.now.parts) > 1:
            return
        for name, line in self.answer.functions:
            if self._is_in(line, uri, lines):
                data = {"uri": uri, "line": line}
                title = f"Annotate {name} from its calls"
                yield types.CodeAction(title, types.CodeActionKind.RefactorRewrite, data=data)

    def is_wrong(self, uri: str, lines: range, configuration: Configuration) -> bool:
        """Whether the user sees an error about arrays in some lines of a document, whose text is that of the answer."""
        is_current = self.text == self.now.text
        wrong = self._problems(configuration)
        return is_current and any(self._is_in(problem.span.line, uri, lines) for problem in wrong)

    def quick_fixes(self, fixes: Sequence[Fix]) -> list[types.CodeAction]:
        """The actions for fixes that hold of the text of now; the first one of an error is the one to take."""
        actions, preferred = [], set[Span]()
        for fix in fixes if self.text == self.now.text else ():
            wrong = [self._diagnostic(p, p.span) for p in self.answer.problems if p.span == fix.span]
            kind = types.CodeActionKind.QuickFix
            edit = self.edit(fix.edits)
            is_first = fix.span not in preferred
            preferred.add(fix.span)
            actions.append(
                types.CodeAction(fix.title, kind, diagnostics=wrong, is_preferred=is_first, edit=edit)
            )
        return actions

    def diagnostics(self, configuration: Configuration) -> dict[Part, list[types.Diagnostic]]:
        """The diagnostics that the user wants to see, by the documents that they are in."""
        diagnostics: dict[Part, list[types.Diagnostic]] = {part: [] for part in self.now.parts}
        for problem in self._problems(configuration):
            span = self._moved(problem.span)
            if span is not None:
                diagnostics[self.now.at(span.line)].append(self._diagnostic(problem, span))
        return diagnostics

    def _problems(self, configuration: Configuration) -> Sequence[Problem]:
        return () if configuration.diagnostics == "off" else self.answer.problems

    def _diagnostic(self, problem: Problem, span: Span) -> types.Diagnostic:
        link = link_of(problem.code)
        return types.Diagnostic(
            self.place(span),
            self._message(problem),
            SEVERITY[problem.severity],
            problem.code,
            types.CodeDescription(link) if link else None,
            NAME,
            related_information=[*self._related(problem)] or None,
        )

    def _related(self, problem: Problem) -> Iterator[types.DiagnosticRelatedInformation]:
        """What an error has to do with, where the editor goes to the lines."""
        own = str(Path(self.now.path).resolve())
        for each in problem.related:
            line, uri = each.line, from_fs_path(each.file)
            if each.file == own:
                now = self._shift.line(each.line)
                if now is None:
                    continue
                part = self.now.at(now)
                line, uri = now - part.first, part.uri
            if uri is not None:
                where = types.Range(types.Position(line, 0), types.Position(line + 1, 0))
                yield types.DiagnosticRelatedInformation(types.Location(uri, where), each.message)

    def hover(self, line: int, character: int) -> types.Hover | None:
        """What is known of the smallest part at the cursor, and what is wrong with it."""
        column = self.column(line, character)
        at = [(span, known) for known in self.answer.known if (span := self._moved(known.span))]
        at = [(span, known) for span, known in at if span.holds(line, column)]
        wrong = [
            p for p in self.answer.problems if (span := self._moved(p.span)) and span.holds(line, column)
        ]
        parts, where = [], None
        if at:
            span, known = min(at, key=lambda pair: _size(pair[0]))
            if not self._is_on_another(span, line, column):
                where = self.place(span)
                parts.append(self._told(span, known))
        parts += map(self._reason, wrong)
        said = "\n\n".join(filter(None, parts))
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, said), where) if said else None

    def _is_on_another(self, span: Span, line: int, column: int) -> bool:
        """Whether the cursor is on a name or a number within a part that is known: nothing is known of that itself."""
        text = self._lines[line]
        word = next((word for word in WORDS.finditer(text) if word.start() <= column <= word.end()), None)
        if word is None or keyword.iskeyword(word[0]):
            return False
        part = text[span.column : span.end_column] if span.line == span.end_line else ""
        is_name = DOTTED.fullmatch(part) is not None
        is_called = text[: word.start()].endswith(".") or text[word.end() :].startswith("(")
        return not is_name and not is_called

    def _reason(self, problem: Problem) -> str:
        """What is wrong, and where the documentation says more."""
        link = link_of(problem.code)
        return self._message(problem) + (f" [{problem.code}]({link})" if link else "")

    def _message(self, problem: Problem) -> str:
        """What is wrong; the lines of a notebook are those of its cells, which count from 1."""
        if len(self.now.parts) < 2:
            return problem.message
        name = re.escape(Path(self.now.path).name)

        def cell(match: re.Match[str]) -> str:
            part = self.now.at(int(match[1]) - 1)
            return f"cell {self.now.parts.index(part) + 1}, line {int(match[1]) - part.first}"

        return re.sub(rf"\b{name}:(\d+)", cell, problem.message)

    def _told(self, span: Span, known: Known) -> str:
        parts = [] if known.array is None else self._array(span, known.array)
        return "\n\n".join([*parts, *known.notes])

    def _array(self, span: Span, array: AbstractArray) -> list[str]:
        source = "\n".join(self._lines[span.line : span.end_line + 1])
        name = self._lines[span.line][span.column : span.end_column] if span.line == span.end_line else source
        shown = f"{name}: " if WORD.fullmatch(name) else ""
        text = annotation(array, self.answer.jaxtyping)
        return [f"```python\n{shown}{spell(array)}\n```", *([f"`{text}`"] if text else [])]


def _size(span: Span) -> tuple[int, int]:
    return span.end_line - span.line, span.end_column - span.column
