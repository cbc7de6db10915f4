"""The files of data that a program names: the texts of its configurations, and what files of arrays say of these, go with it.

The process that evaluates programs reads no files. So this one reads those that the source names by a constant, and those
in folders that it names: files of the project, and none that is large, hidden, or linked to from elsewhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from jaxtyping_core import libraries, reading
from jaxtyping_core.programs import array_files
from jaxtyping_core.programs.import_roots import INSTALLED, is_installed, project_of
from jaxtyping_core.programs.imports import words_of_imports
from jaxtyping_core.programs.sources import Program

#: The suffixes of files that libraries read, which may add them to a name.
OF_LIBRARIES = tuple(dict.fromkeys(suffix for row in libraries.LIBRARIES.values() for suffix in row.data))
SUFFIXES = (".json", ".toml", *OF_LIBRARIES)
#: What reads such files: modules of Python's own, and libraries.
READERS = frozenset({"json", "tomllib", *libraries.names("data")})
#: What stands in a source that reads files of arrays.
LOADING = "load("
#: A constant that may be a path, and what stands in one for a part that is not constant.
CONSTANT = re.compile(r"""(["'])([^"'\n\\*?]{1,200})\1""")
INSERTED = re.compile(r"\{[^{}]*\}")
#: Bytes of one file and of all, and how many there may be.
MOST_BYTES = 64_000
MOST_IN_ALL = 512_000
MOST_FILES = 64
#: Constants and folders that are looked at, and how deep folders are.
MOST_CONSTANTS = 400
MOST_FOLDERS = 64
DEEPEST = 3


def texts_of(program: Program) -> dict[str, str]:
    """The texts of the files that a program names, by each path that it may name them by."""
    sources = _sources(program)
    if all(READERS.isdisjoint(words_of_imports(text)) for text in sources):
        return {}
    return _texts(_files(program, sources, SUFFIXES, OF_LIBRARIES))


def arrays_of(program: Program) -> dict[str, dict[str, array_files.Described]]:
    """The dtypes and the shapes of the arrays in files that a program names, by the same paths."""
    sources = _sources(program)
    if not any(LOADING in text for text in sources):
        return {}
    files = _files(program, sources, array_files.SUFFIXES)
    known = array_files.described([*dict.fromkeys(files.values())][:MOST_FILES])
    return {key: known[file] for key, file in sorted(files.items()) if file in known}


def _sources(program: Program) -> list[str]:
    if is_installed(program.root):
        return []
    return [module.text for module in program.modules.values() if module.text]


def _files(
    program: Program, sources: list[str], suffixes: tuple[str, ...], added: tuple[str, ...] = ()
) -> dict[str, Path]:
    """The files with some suffixes that a program names, by each path that it may name them by.

    A path by which it may mean several files is left out.

    Args:
        program: the program.
        sources: the texts of its modules.
        suffixes: the suffixes.
        added: suffixes that a library may add to a name.
    """
    inside = project_of(program.root)
    folders = [program.root, inside, *(Path(module.path).parent for module in program.modules.values())]
    bases = [*dict.fromkeys(os.path.normpath(folder) for folder in folders)]
    meant: dict[str, set[Path]] = {}
    constants = _constants(sources, suffixes)
    for name, spelled in islice(_named(bases, constants, suffixes, added), 4 * MOST_FILES):
        file = Path(spelled).resolve()
        if _is_data(file, inside):
            for key in (name, os.path.normpath(spelled), str(file)):
                meant.setdefault(key, set()).add(file)
    return {key: files.pop() for key, files in meant.items() if len(files) == 1}


def _constants(sources: Iterable[str], suffixes: tuple[str, ...]) -> list[str]:
    """The constants that may be paths or ends of such, those of files first."""
    constants = (match[1] for text in sources for match in CONSTANT.findall(text))
    names = dict.fromkeys(part for each in constants for part in (each, *_parts(each)) if "{" not in part)
    return sorted(names, key=lambda name: not name.endswith(suffixes))[:MOST_CONSTANTS]


def _parts(constant: str) -> list[str]:
    """What is constant in a formatted text, and the end of a path that is added to a folder."""
    return [part.strip("/") for part in INSERTED.split(constant) if part.strip("/") != constant]


def _named(
    bases: list[str], constants: list[str], suffixes: tuple[str, ...], added: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """The files that constants name, or that are in folders that they name: below a folder, and with it."""
    count = 0
    for constant in constants:
        for base in bases:
            spelled = os.path.join(base, constant)  # noqa: PTH118  # `Path` drops a leading "./"
            if constant.endswith(suffixes):
                if os.path.isfile(spelled):  # noqa: PTH113  # False where `Path` raises: a constant may be any text
                    yield os.path.normpath(constant), spelled
                continue
            for suffix in added:
                if os.path.isfile(spelled + suffix):  # noqa: PTH113  # the same
                    yield os.path.normpath(constant + suffix), spelled + suffix
            if count < MOST_FOLDERS and constant.strip("./") and os.path.isdir(spelled):  # noqa: PTH112  # the same
                count += 1
                for file in _below(Path(spelled), suffixes):
                    yield (
                        os.path.normpath(file.relative_to(base)) if file.is_relative_to(base) else str(file),
                        str(file),
                    )


def _below(folder: Path, suffixes: tuple[str, ...], depth: int = 0) -> Iterator[Path]:
    """The files of data below a folder."""
    try:
        entries = sorted(islice(folder.iterdir(), 4 * MOST_FILES))
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.name in INSTALLED:
            continue
        if entry.suffix in suffixes:
            yield entry
        elif depth < DEEPEST and not entry.suffix and os.path.isdir(entry):  # noqa: PTH112  # False where `Path` raises
            yield from _below(entry, suffixes, depth + 1)


def _is_data(file: Path, inside: Path) -> bool:
    """Whether a file is one of the project, and not hidden: links have been followed."""
    parts = file.relative_to(inside).parts if file.is_relative_to(inside) else ()
    return bool(parts) and not any(part.startswith(".") or part in INSTALLED for part in parts)


def _texts(files: dict[str, Path]) -> dict[str, str]:
    """The texts of files by their paths, as far as there may be so many."""
    read: dict[Path, str] = {}
    left = MOST_IN_ALL
    for file in list(dict.fromkeys(files.values()))[:MOST_FILES]:
        try:
            text = reading.read_bytes(file, MOST_BYTES).decode()
        except (OSError, UnicodeDecodeError):
            continue
        left -= len(text)
        if left >= 0:
            read[file] = text
    return {key: read[file] for key, file in sorted(files.items()) if file in read}
