"""What mypy with the plugin says of a file, in this process: as for ``check``, and as for ``show``.

mypy's cache holds the stubs and the modules that are saved, and what a build has loaded of them serves for the next
one; what it has found of functions that an edit cannot mean stays. mypy's own daemon goes further, but crashes now and
then, and what it says is not always what a run from a cache says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from mypy.errors import CompileError
from mypy.find_sources import InvalidSourceList

from jaxtyping_core.checking.formats import OPTIONS as AS_JSON
from jaxtyping_core.errors import CommandError
from jaxtyping_core.lsp.known import known_expressions
from jaxtyping_core.lsp.partial import Definitions, Part, otherwise_told, without
from jaxtyping_core.lsp.records import Known
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs.functions import Sources, sources_of
from jaxtyping_core.programs.places import Place
from jaxtyping_core.programs.sources import forget, parse
from jaxtyping_core.programs.syntax import unannotated_in
from jaxtyping_core.programs.x64 import Switches
from jaxtyping_core.settings import Settings
from jaxtyping_core_mypy import marks, rebuilds
from jaxtyping_core_mypy.builds import Built
from jaxtyping_core_mypy.inferred import OPTIONS as OF_SHOW
from jaxtyping_core_mypy.inferred import infer_with, places_of

#: How a message says where something else is: it says something else when that is elsewhere.
ELSEWHERE = re.compile(r"\bline \d|\.pyi?:\d|\bdefined here")
#: And that it has looked through all names for one.
UNDEFINED = re.compile(r'"code": "name-defined"')


class Checked(NamedTuple):
    """What mypy says under the options of ``check``, a message a line, and what it infers; `built` is None where it cannot check."""

    lines: list[str]
    places: list[Place]
    known: list[Known]
    built: Built | None


class _Earlier(NamedTuple):
    """What an earlier build has found of a text, and all that it depends on."""

    asked: Any
    anew: int
    definitions: Definitions
    program: Sources
    checked: Checked


#: By the options of the file's modules, what has been found with them.
Found = dict[bool, _Earlier]


@dataclass(frozen=True)
class Mypy:
    """mypy, for some texts.

    Args:
        file: what is looked at, and its `source`.
        texts: those of the file, which is the first, and of others of its program that are not saved.
        unsaved: those of them that the disk has otherwise.
        folder: where files may be written, for mypy to read in the place of those.
        config: the configuration with the plugin.
        python: the interpreter of the project; None for the one that the configuration names, or this one.
        plugins: those of the configuration that are loaded.
        settings: how the program runs JAX.
        earlier: what has been found before; what is found now takes its place.
    """

    file: Path
    source: Source
    texts: Mapping[str, str]
    unsaved: Sequence[str]
    folder: Path
    config: Path
    python: str | None
    plugins: Sequence[str]
    settings: Settings
    earlier: Found

    def as_check(self) -> Checked:
        """What ``check`` has mypy say."""
        try:
            return self._checked(is_show=False)
        except CompileError as error:
            return Checked(error.messages, [], [], None)
        except (InvalidSourceList, SystemExit):  # such as a setting that mypy does not know
            return Checked([], [], [], None)

    def as_show(self) -> Checked:
        """What ``show`` has mypy infer: functions that have no annotations are looked into."""
        try:
            return self._checked(is_show=True)
        except (CompileError, InvalidSourceList, SystemExit):
            return Checked([], [], [], None)

    def leaves_out(self, built: Built) -> bool:
        """Whether mypy has passed over functions, which it checks for ``show``."""
        own = [built.options.clone_for_module(source.module) for source in built.sources]
        if all(options.check_untyped_defs and not options.ignore_errors for options in own):
            return False
        return any(unannotated_in(node) for text in self.texts.values() for node in parse(text).body)

    def _checked(self, *, is_show: bool) -> Checked:
        """What mypy finds: of all, or of what may be another since."""
        before = self.earlier.pop(is_show, None)
        program, asked = self._program(), self._asked()
        own, same = Definitions(self.source), []
        if before is not None and program is not None and before.asked == asked:
            same = [*_unchanged(before, own, program, self.file)]
        left_out = [now for _, now in same]
        checked = self._found(own, left_out, is_show=is_show)
        if any(map(UNDEFINED.search, checked.lines)) and any(part.is_whole for part in left_out):
            checked = self._found(own, left_out, is_show=is_show, named=True)
        if before is not None and same:
            if rebuilds.times_anew() == before.anew:
                checked = _joined(before.checked, checked, same, str(self.file))
            else:  # something else has changed as well
                checked = self._found(own, [], is_show=is_show)
        # A message that mypy writes but once may belong to any function.
        if program is not None and checked.built and not _only_once(checked.built):
            self.earlier[is_show] = _Earlier(asked, rebuilds.times_anew(), own, program, checked)
        return checked

    def _found(
        self, own: Definitions, left_out: Sequence[Part], *, is_show: bool, named: bool = False
    ) -> Checked:
        """What mypy finds in the texts, without some parts of the file; it knows the names of these if they are `named`."""
        path = next(iter(self.texts))
        text = without(self.source, left_out, named=named) if left_out else self.texts[path]
        texts = {**self.texts, path: text}
        options = ["--config-file", str(self.config)]
        options += ["--python-executable", self.python] if self.python else []
        others = [path] if left_out and self.file.is_file() else []
        for number, each in enumerate(dict.fromkeys([*self.unsaved, *others])):
            # mypy parses the file on the disk, whatever text it is given, unless another stands for it.
            shadow = self.folder / f"unsaved{number}.py"
            shadow.write_text(texts[each], encoding="utf-8")
            options += ["--shadow-file", each, str(shadow)]
        try:
            with marks.declared_elsewhere(own.declared if left_out else ()):
                inferred = infer_with(
                    texts, [*options, *AS_JSON], OF_SHOW if is_show else {}, self.plugins, again=True
                )
        finally:
            if left_out:
                forget(texts[path])
        switches = Switches(map(Path, texts), self.settings.x64, self.settings.trusted)
        result = inferred.built.result
        return Checked(
            result.errors,
            [*places_of(inferred, switches.of)],
            [*known_expressions(self.source, result.types, switches.of(path), left_out)],
            inferred.built,
        )

    def _asked(self) -> Any:
        """What a build is asked for, but for the text of the file."""
        path, *others = self.texts
        held = {other: self.texts[other] for other in others}
        return path, held, self.config.read_text(encoding="utf-8"), self.python, [*self.plugins]

    def _program(self) -> Sources | None:
        try:
            return sources_of([self.file], None, self.settings.trusted)
        except CommandError:
            return None


def _only_once(built: Built) -> bool:
    return bool(built.result.manager.errors.only_once_messages)


def _unchanged(
    before: _Earlier, own: Definitions, program: Sources, file: Path
) -> Iterator[tuple[Part, Part]]:
    """The parts, as they were and as they are, of which mypy finds the same again."""
    was = before.definitions
    named = [[(body.unit[0], body.name) for body in each.bodies] for each in (was, own)]
    pairs = [*zip(was.units, own.units, strict=False)]
    if named[0] != named[1] or was.around() != own.around() or len(was.units) != len(own.units):
        return
    module = program.names.get(file.resolve())
    units = {
        (unit.name, unit.line)
        for unit in program.reach.same_as_in(before.program.reach)
        if unit.module == module
    }
    others = otherwise_told(pairs)
    same = {now.key for _, now in pairs if now.key in units and others.isdisjoint(now.read.words)}
    told = [json.loads(line) for line in before.checked.lines]
    spoilt = {each["line"] - 1 for each in told if ELSEWHERE.search(f"{each['message']} {each['hint']}")}
    moved = {now.key: now.start - old.start for old, now in pairs}
    spoilt_now = {
        now.start + line - old.start for old, now in pairs for line in spoilt if old.start <= line < old.end
    }
    for part in own.unneeded(same, spoilt_now):
        yield part.moved(-moved[part.unit]), part


def _joined(before: Checked, now: Checked, same: Sequence[tuple[Part, Part]], path: str) -> Checked:
    """What is found now, and what was found before of functions of the file that are as they were."""
    moved = {old.start + i: new.start + i for old, new in same for i in range(old.end - old.start)}
    again = {*moved.values()}
    own = Path(path).resolve()

    def is_in(file: str, line: int, lines: Container[int]) -> bool:
        return line in lines and Path(file).resolve() == own

    lines = [line for line in now.lines if not is_in(*_place_of(line), again)]
    lines += [_moved(line, moved) for line in before.lines if is_in(*_place_of(line), moved)]
    places = [place for place in now.places if not is_in(place.file, place.line - 1, again)]
    places += [
        replace(place, line=moved[place.line - 1] + 1)
        for place in before.places
        if is_in(place.file, place.line - 1, moved)
    ]
    known = [each for each in now.known if each.span.line not in again]
    known += [each.moved(moved) for each in before.known if each.span.line in moved]
    return Checked(lines, places, known, now.built)


def _place_of(line: str) -> tuple[str, int]:
    """The file of a message, and its line, counted from 0."""
    message = json.loads(line)
    return message["file"], message["line"] - 1


def _moved(line: str, moved: Mapping[int, int]) -> str:
    """A message where its line is now."""
    message = json.loads(line)
    by = moved[message["line"] - 1] - message["line"] + 1
    ends = {name: message[name] + by for name in ("line", "end_line") if message[name] > 0}
    return json.dumps(message | ends)
