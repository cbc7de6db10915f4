"""Which files are the project's own, and what functions their code objects are."""

from __future__ import annotations

import ast
import site
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType

from jaxtyping_core.programs.import_roots import INSTALLED, MARKS
from jaxtyping_core.reading import read_bytes
from jaxtyping_core.recording.bodies import bodies_of
from jaxtyping_core.recording.definitions import LAMBDA, MODULE, Definition, definitions, of_module
from jaxtyping_core.recording.observed import Function
from jaxtyping_core.recording.store import digest_of

#: By this file a virtual environment is known.
_ENVIRONMENT = "pyvenv.cfg"
#: The flags of code: of a function and not of a module or a class, and of ``*args`` and ``**kwargs``.
_OPTIMIZED, _VARARGS, _VARKEYWORDS = 0x1, 0x4, 0x8
#: Our own files are never watched.
_OURS = Path(__file__).resolve().parent


@dataclass(slots=True)
class Source:
    """A file of the project, as it was when its first function was reached."""

    path: Path
    digest: str
    text: bytes
    bodies: str
    by_place: dict[tuple[str, int], list[Definition]] = field(default_factory=dict)

    @property
    def functions(self) -> list[Function]:
        """The functions of the file, by their lines."""
        functions = {definition.function for same in self.by_place.values() for definition in same}
        return sorted(functions, key=lambda function: (function.line, function.qualname))

    def definition(self, code: CodeType) -> Definition | None:
        """What a code object is; None for one that the source does not have, such as one that was generated."""
        same = self.by_place.get((code.co_name, code.co_firstlineno), ())
        fitting = [definition for definition in same if _has_parameters(definition, parameters(code))]
        named = [definition for definition in fitting if definition.function.qualname == code.co_qualname]
        return next(iter(named or fitting), None)

    def module(self, code: CodeType, is_compiled: bool = False) -> Definition | None:
        """The file's own code, if a code object is that; None for other code that is said to be of the file.

        `is_compiled` says that we have made it of the file.
        """
        if is_compiled:
            return of_module(ast.parse(self.text))
        own = compile(self.text, code.co_filename, "exec", dont_inherit=True)
        is_own = (own.co_code, own.co_names, own.co_linetable) == (
            code.co_code,
            code.co_names,
            code.co_linetable,
        )
        return of_module(ast.parse(self.text)) if is_own else None

    def is_changed(self) -> bool:
        """Whether the file has another text by now."""
        try:
            return digest_of(read_bytes(self.path)) != self.digest
        except OSError:
            return True


def parameters(code: CodeType) -> tuple[str, ...]:
    """The variables of a function's parameters; those with a star are the last."""
    stars = bool(code.co_flags & _VARARGS) + bool(code.co_flags & _VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]


def is_function(code: CodeType) -> bool:
    """Whether code is a function's: neither that of a module, a class or a comprehension."""
    name = code.co_name
    return bool(code.co_flags & _OPTIMIZED) and (name[:1] != "<" or name == LAMBDA)


def is_module(code: CodeType) -> bool:
    """Whether code is a file's own."""
    return code.co_name == MODULE and not code.co_flags & _OPTIMIZED


def source(path: Path) -> Source | None:
    """A file of source; None where it cannot be read as Python."""
    try:
        text = read_bytes(path)
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None
    parsed = Source(path, digest_of(text), text, bodies_of(text))
    for definition in definitions(tree):
        name = definition.function.qualname.rpartition(".")[2]
        parsed.by_place.setdefault((name, definition.first), []).append(definition)
    return parsed


def project_of(folder: Path) -> Path:
    """The folder of the project that a folder is in, or the folder itself."""
    folder = folder.resolve()
    above = (top for top in (folder, *folder.parents) if any((top / mark).exists() for mark in MARKS))
    return next(above, folder)


class Project:
    """The project's own files: those below its folders that are neither installed nor of the standard library."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self.folders = tuple(dict.fromkeys(folder.resolve() for folder in folders))
        self._foreign = tuple(top for top in _foreign() if not any(map(top.__eq__, self.folders)))
        self._sources: dict[str, Source | None] = {}
        self._by_path: dict[Path, Source | None] = {}
        self._recorded: dict[Path, Source] = {}

    @property
    def sources(self) -> Sequence[Source]:
        """The files of which something may have been recorded."""
        return [*self._recorded.values()]

    def source(self, name: str) -> Source | None:
        """The file that code names as its own, if it is one of the project's: something of it is recorded."""
        read = self.look_up(name)
        if read is not None:
            self._recorded[read.path] = read
        return read

    def look_up(self, name: str) -> Source | None:
        """As `source`, for a file that has no records yet."""
        try:
            return self._sources[name]
        except KeyError:
            read = self._sources[name] = self._found(name)
            return read

    def _found(self, name: str) -> Source | None:
        if name.startswith("<"):
            return None
        try:
            path = Path(name).resolve()
            if not self._owns(path) or not path.is_file():
                return None
        except (OSError, ValueError, RuntimeError):
            return None
        if path not in self._by_path:
            self._by_path[path] = source(path)
        return self._by_path[path]

    def _owns(self, path: Path) -> bool:
        if not any(map(path.is_relative_to, self.folders)) or path.is_relative_to(_OURS):
            return False
        if any(part in INSTALLED for part in path.parts) or any(map(path.is_relative_to, self._foreign)):
            return False
        inside = [top for top in path.parents if any(map(top.is_relative_to, self.folders))]
        return not any((top / _ENVIRONMENT).exists() for top in inside)


def _foreign() -> set[Path]:
    """The folders of the standard library and of installed packages."""
    paths = sysconfig.get_paths()
    folders = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    if sys.flags.no_user_site == 0:
        folders.append(site.getusersitepackages())
    return {Path(folder).resolve() for folder in folders}


def _has_parameters(definition: Definition, names: Sequence[str]) -> bool:
    """Whether a definition has these parameters: of two lambdas on one line that is one. Names of a class may be mangled."""
    places = definition.parameters
    return len(places) == len(names) and all(names[place].endswith(name) for name, place in places)
