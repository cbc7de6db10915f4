"""The scripts of a project that call what is in some of its modules.

A module that only defines functions says little of their arguments: the script that trains the model does. Where a
file that is given is reached from no script among those given, the project's own scripts that import it are evaluated
with it, its commands and notebooks among them; its tests, where there is no script.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs import console_scripts
from jaxtyping_core.programs.files import files_below
from jaxtyping_core.programs.import_roots import INIT, MARKS, is_installed, root_of
from jaxtyping_core.programs.notebooks import SUFFIX, is_notebook
from jaxtyping_core.programs.sources import Module, Program, collect, parse, read
from jaxtyping_core.scripts import is_script

#: Folders and files of the project that are looked at, scripts whose imports are followed, and scripts that are taken.
MOST_FOLDERS, MOST_FILES, MOST_FOLLOWED, MOST_TAKEN = 1000, 400, 40, 3
#: How a text looks that may do something at its top level: the others are not parsed.
DOES_SOMETHING = re.compile(r"__main__|^(?:for|while|with)\b|^\w+\(|^[\w, ]+ = .*\(", re.MULTILINE)
#: The names of files and folders of tests.
TEST = re.compile(r"tests?$|test_|.*_test$|conftest$")


def with_callers(programs: list[Program], trusted: Iterable[str]) -> tuple[list[Program], list[Path]]:
    """The programs, and the scripts among them that call what was given, which are named."""
    called_from = callers(programs, trusted)
    if not called_from:
        return programs, []
    files = [Path(module.path) for program in programs for module in program.entry_modules]
    return collect([*files, *called_from], trusted), called_from


def callers(programs: Sequence[Program], trusted: Iterable[str]) -> list[Path]:
    """Scripts of the project, or tests, that import the given files of `programs` that no script among them imports."""
    reached: set[Path] = set()
    for program in programs:
        scripts = [name for name in program.entries if is_script(parse(program.modules[name].text or ""))]
        reached |= {_file(program.modules[other]) for name in scripts for other in program.reached(name)}
    own = [program for program in programs if not is_installed(program.root)]
    waiting = {_file(module) for program in own for module in program.entry_modules} - reached
    if not waiting:
        return []
    files = [Path(module.path) for program in programs for module in program.entry_modules]
    resolved = {file.resolve() for file in files}
    others = [file for file in _near(files) if file.resolve() not in resolved]
    of_tests = [file for file in others if _is_of_tests(file)]
    of_project = [file for file in others if file not in of_tests]
    commands = [
        file for top in dict.fromkeys(map(_project, files)) if (file := top / console_scripts.FILE).exists()
    ]
    taken = list(_importing(waiting, [*commands, *sorted(of_project, key=is_notebook)], trusted, True))
    return taken or list(_importing(waiting, of_tests, trusted, False))


def _importing(
    waiting: set[Path], files: Sequence[Path], trusted: Iterable[str], scripts: bool
) -> Iterator[Path]:
    """Those of `files` whose imports reach a file that waits, the nearest ones."""
    followed = taken = 0
    names = {file.parent.name if file.name == INIT else file.stem for file in waiting}
    for file in files:
        try:
            text, tree = read(file)
        except CommandError:  # it is not this file that was asked about
            continue
        is_run = is_notebook(file) or console_scripts.is_table(file)
        if scripts and not (
            is_run or (DOES_SOMETHING.search(text) and (is_script(tree) or _calls(tree, names)))
        ):
            continue
        followed += 1
        if not waiting.isdisjoint(_reached(file, trusted)):
            taken += 1
            yield file
        if taken == MOST_TAKEN or followed == MOST_FOLLOWED:
            return


def _calls(tree: ast.Module, modules: set[str]) -> bool:
    """Whether the top level of a module calls something that it imports from modules of these names, or such a module has."""
    bound: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            source = getattr(node, "module", None) or ""
            for alias in node.names:
                if not modules.isdisjoint([*source.split("."), *alias.name.split(".")]):
                    bound.add(alias.asname or alias.name.partition(".")[0])
    runs = (node for node in tree.body if not isinstance(node, (ast.FunctionDef, ast.ClassDef)))
    called = (part.func for node in runs for part in ast.walk(node) if isinstance(part, ast.Call))
    names = (part.id for function in called for part in ast.walk(function) if isinstance(part, ast.Name))
    return not bound.isdisjoint(names)


def _reached(file: Path, trusted: Iterable[str]) -> set[Path]:
    """The files of the modules that a file imports, and those that these import."""
    return {_file(module) for program in collect([file], trusted) for module in program.modules.values()}


def _file(module: Module) -> Path:
    return Path(module.path).resolve()


def _near(files: Sequence[Path]) -> Iterator[Path]:
    """The files of the project, those in the same folders first."""
    folders = [*dict.fromkeys(file.parent for file in files), *dict.fromkeys(map(_project, files))]
    seen: set[Path] = set()
    for folder in folders:
        if not os.access(folder, os.R_OK | os.X_OK):  # it is not this folder that was asked about
            continue
        for file in files_below(folder, MOST_FOLDERS, (".py", SUFFIX)):
            if file.resolve() in seen:
                continue
            seen.add(file.resolve())
            yield file
            if len(seen) == MOST_FILES:
                return


def _project(file: Path) -> Path:
    """The folder of the project that a file belongs to: the one with its marks, or that it is imported from."""
    root = root_of(file)
    resolved = root.resolve()
    top = next(
        (top for top in (resolved, *resolved.parents) if any((top / m).exists() for m in MARKS)), resolved
    )
    if top == resolved:
        return root
    here = Path.cwd()
    return top.relative_to(here) if not file.is_absolute() and top.is_relative_to(here) else top


def _is_of_tests(file: Path) -> bool:
    return any(TEST.match(part) for part in (*file.parent.parts, file.stem))
