"""The modules of a program: the files that are given, and all that they import inside their project."""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib.util
import sys
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jaxtyping_core import libraries, reading
from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs import console_scripts, notebooks, unsaved
from jaxtyping_core.programs.import_roots import (
    INIT,
    Found,
    Roots,
    is_installed,
    module_name,
    package_around,
    root_of,
)
from jaxtyping_core.programs.imports import imported, named_files, prefixes
from jaxtyping_core.programs.incremental_parse import parsed_in_part
from jaxtyping_core.programs.path_changes import folders_added
from jaxtyping_core.programs.syntax import imports_in
from jaxtyping_core.settings import TRUSTED

#: Characters of one program, so that a folder full of generated files does not fill the memory.
MOST_TEXT = 16_000_000
#: Characters of the texts of which the trees are kept, which take eighty times as much memory.
MOST_KEPT = 400_000
_trees: dict[str, ast.Module] = {}
#: Libraries whose import takes as long as that of JAX.
ABOVE_JAX = frozenset(libraries.names("imports_jax")) & frozenset(libraries.names("trusted")) - {"jax"}
#: What reading a file and parsing its text may raise: Python's parser has limits of its own.
UNREADABLE = (OSError, SyntaxError, ValueError, RecursionError, MemoryError)


class NotPythonError(CommandError):
    """A file cannot be read as Python.

    Attributes:
        reason: why.
        line: the line with the mistake, if it is one line.
        has_text: whether there is a text, which is not valid Python.
    """

    def __init__(self, file: Path, reason: str, line: int | None, has_text: bool) -> None:
        super().__init__(f"{file}: line {line}: {reason}" if line else f"{file}: {reason}")
        self.reason, self.line, self.has_text = reason, line, has_text


@dataclass(frozen=True, slots=True)
class Module:
    """A module of a program. `text` is None where that cannot be read: then nothing in it is known."""

    path: str
    text: str | None
    package: bool

    def as_json(self) -> dict[str, Any]:
        """The module as JSON holds it."""
        return {"path": self.path, "text": self.text, "package": self.package}


@dataclass(slots=True)
class Program:
    """Modules by their names, as Python imports them; `entries` are those that were given."""

    root: Path
    entries: list[str] = field(default_factory=list)
    modules: dict[str, Module] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    #: The modules of the program that each of them imports.
    uses: dict[str, set[str]] = field(default_factory=dict)
    #: The function of which all calls are wanted: its file, as the program has it, and the line of its ``def``.
    watched: tuple[str, int] | None = None
    #: The modules whose functions that nothing calls are looked at in other programs.
    elsewhere: frozenset[str] = frozenset()

    @property
    def entry_modules(self) -> list[Module]:
        """The modules of the files that were given."""
        return [self.modules[name] for name in self.entries]

    def parts(self) -> Iterator[Program]:
        """The program in parts that have no module in common: what is known of one depends on no other."""
        parts: list[tuple[list[str], set[str]]] = []
        for entry in self.entries:
            entries, reached = [entry], self.reached(entry)
            for part in [part for part in parts if not reached.isdisjoint(part[1])]:
                parts.remove(part)
                entries, reached = [*part[0], *entries], reached | part[1]
            parts.append((entries, reached))
        for entries, reached in parts:
            modules = {name: module for name, module in self.modules.items() if name in reached}
            yield Program(self.root, entries, modules, watched=self.watched)

    def library_modules(self) -> tuple[str, ...]:
        """What it imports of libraries that import JAX, by names that may be modules."""
        names = set[str]()
        for own, module in self.modules.items():
            with contextlib.suppress(*UNREADABLE):  # whoever evaluates it says why it cannot be read
                names.update(imports_of(own, module))
        return (*sorted(name for name in names if name.partition(".")[0] in ABOVE_JAX),)

    def reached(self, entry: str) -> set[str]:
        """A module and all that it imports, and that these import."""
        reached, waiting = {entry}, [entry]
        while waiting:
            new = self.uses.get(waiting.pop(), set()) - reached
            reached |= new
            waiting += new
        return reached


def collect(files: Sequence[Path], trusted: Iterable[str] = TRUSTED) -> list[Program]:
    """The programs that `files` belong to: those that are imported from the same folder are one program.

    Raises:
        NotPythonError: a file cannot be read as Python.
    """
    texts = {file: text_of(file) for file in dict.fromkeys(files)}
    programs: list[tuple[Program, list[Path]]] = []
    for file, text in texts.items():
        program, folders = _program_for(file, text, programs)
        name = module_name(file, program.root)
        program.entries.append(name)
        program.modules[name] = Module(str(file), text, file.name == "__init__.py")
        folders += [file.parent, *folders_added(file, text)]
    for program, folders in programs:
        _reach(program, Roots(program.root, list(dict.fromkeys(folders)), frozenset(trusted)))
    return [program for program, _ in programs]


def read(file: Path) -> tuple[str, ast.Module]:
    """The text of a file, decoded as Python does it or held by an editor, and its syntax tree.

    Raises:
        NotPythonError: it cannot be read as Python.
    """
    with _readable(file):
        text = decoded(file)
        return text, parse(text)


def text_of(file: Path) -> str:
    """The text of a file, as `read` gives it.

    Raises:
        NotPythonError: it cannot be read as Python.
    """
    with _readable(file):
        text = decoded(file)
        _imports_of(text)
        return text


@contextlib.contextmanager
def _readable(file: Path) -> Iterator[None]:
    try:
        yield
    except UNREADABLE as error:
        line = error.lineno if isinstance(error, SyntaxError) else None
        raise NotPythonError(file, _reason(error), line, not isinstance(error, OSError)) from None


def decoded(file: Path) -> str:
    """The text of a file: what an editor holds of it, or what is on the disk; of a notebook, the program of its cells, and of
    ``pyproject.toml`` that of the project's commands.

    Raises:
        OSError, SyntaxError, ValueError: it cannot be read, or is no text (`UNREADABLE`).
    """
    held = unsaved.text_of(file)
    if held is not None:
        return held
    content = reading.read_bytes(file)
    if console_scripts.is_table(file):
        return console_scripts.program_of(content)
    return (
        notebooks.program_of(content)
        if notebooks.is_notebook(file)
        else importlib.util.decode_source(content)
    )


def parse(text: str) -> ast.Module:
    """The syntax tree of a text, which nobody changes: several look at the same text, one after the other."""
    tree = _trees.pop(text, None)
    if tree is None:
        with warnings.catch_warnings(
            action="ignore"
        ):  # of strange escapes, which are the program's own affair
            tree = parsed_in_part(text, _trees) or ast.parse(text)
    _trees[text] = tree
    while len(_trees) > 1 and sum(map(len, _trees)) > MOST_KEPT:
        del _trees[next(iter(_trees))]
    return tree


def forget(text: str) -> None:
    """Drop the tree of a text that will not be asked for again, as far as anybody knows."""
    _trees.pop(text, None)


def _reason(error: BaseException) -> str:
    """What is wrong with a file, in a line."""
    match error:
        case SyntaxError(lineno=int(), msg=message):
            return f"not valid Python: {message}"
        case FileNotFoundError():
            return "no such file"
        case reading.UnreadableError():
            return str(error)
        case OSError(strerror=str(reason)):
            return f"cannot read the file: {reason}"
        case RecursionError() | MemoryError():
            return "too deeply nested to be parsed"
    return f"not valid Python: {error}"


def _program_for(
    file: Path, text: str, programs: list[tuple[Program, list[Path]]]
) -> tuple[Program, list[Path]]:
    """The program that a file belongs to; a new one where another file has its name already.

    A folder within a package is a part of it, also without a file of its own, unless its files import each other by their bare names.
    """
    root = root_of(file)
    package = package_around(root)
    if package is not None and not _imports_from(root, text):
        root = root_of(package / INIT)
    for program, folders in programs:
        if program.root.resolve() == root.resolve() and module_name(file, root) not in program.modules:
            return program, folders
    programs.append((Program(root), []))
    return programs[-1]


def _imports_from(folder: Path, text: str) -> bool:
    """Whether a text imports a module of a folder by its bare name."""
    nodes = ast.walk(_imports_of(text))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    nodes = ast.walk(_imports_of(text))
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    first = {name.partition(".")[0] for name in names} - sys.stdlib_module_names
    return any((folder / f"{name}.py").is_file() or (folder / name).is_dir() for name in first if name)


def _reach(program: Program, roots: Roots) -> None:
    """Add the modules that those of a program import."""
    inside = {name.partition(".")[0] for name in program.entries} if is_installed(program.root) else None
    places: dict[str, Found | None] = {}
    waiting = deque(program.modules)
    size = sum(len(module.text or "") for module in program.modules.values())
    while waiting:
        name = waiting.popleft()
        imports = imports_of(name, program.modules[name])
        for other in imports:
            if other in places or (inside is not None and other.partition(".")[0] not in inside):
                continue
            places[other] = place = _find(other, places, roots)
            if place is None or other in program.modules or not place.path.is_file():
                continue
            if size > MOST_TEXT:
                program.notes.append(f"{place.path}: left out, because the program is too large")
                continue
            _add(program, other, place, places)
            size += len(program.modules[other].text or "")
            waiting.append(other)
        program.uses[name] = {other for other in imports if other in program.modules}
    for name in program.entries:
        _add_packages(program, name, places)
    for name in program.modules:  # a package without a file comes with the first of its modules
        program.uses.setdefault(name, set())


@functools.lru_cache(maxsize=2_000)
def imports_of(name: str, module: Module) -> tuple[str, ...]:
    """What a module may import: the packages that it is in come first, as Python imports them."""
    package = name if module.package else name.rpartition(".")[0]
    own = prefixes(package) if package else ()
    text = module.text or ""
    return tuple(dict.fromkeys([*own, *imported(_imports_of(text), package), *named_files(text)]))


@functools.lru_cache(maxsize=2_000)
def _imports_of(text: str) -> ast.Module:
    """The statements of a text that import something: programs have modules in common, and are read again and again."""
    return ast.Module([node for statement in parse(text).body for node in imports_in(statement)], [])


def _find(name: str, places: dict[str, Found | None], roots: Roots) -> Found | None:
    """The module of a name; the package that it is in was looked for before."""
    package = name.rpartition(".")[0]
    parent = places.get(package)
    if package and (parent is None or not parent.is_package):
        return None
    return roots.find(name, parent)


def _add(program: Program, name: str, place: Found, places: dict[str, Found | None]) -> None:
    """Add a module, and the packages without files that it is in."""
    _add_packages(program, name, places)
    text = None
    try:
        text = text_of(place.path)
    except CommandError as error:
        program.notes.append(f"{error}; nothing in this file is known")
    program.modules[name] = Module(str(place.path), text, place.is_package)


def _add_packages(program: Program, name: str, places: dict[str, Found | None]) -> None:
    """Add the packages without files that a module is in."""
    package = name.rpartition(".")[0]
    while package and package not in program.modules:
        parent = places.get(package)
        if parent is None:
            return
        program.modules[package] = Module(str(parent.path), "", True)
        package = package.rpartition(".")[0]
