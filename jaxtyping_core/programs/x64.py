"""Whether a program switches on JAX's 64-bit types, by what its modules say when they are imported or run.

The switch is one of the whole process: a program has 64-bit types if any of its modules switches them on. What is said under a
condition, or in a function that the module does not call at once, is not known to happen: then the settings decide.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import itertools
import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from jaxtyping_core import libraries
from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs import unsaved
from jaxtyping_core.programs.callers import with_callers
from jaxtyping_core.programs.files import files_below
from jaxtyping_core.programs.import_roots import MARKS
from jaxtyping_core.programs.sources import UNREADABLE, Program, collect, decoded, parse
from jaxtyping_core.scripts import is_script
from jaxtyping_core.settings import X64_VARIABLE, is_true

#: What a text has that says anything of 64-bit types.
MENTIONS = re.compile(r"enable_x64|ENABLE_X64")
OPTION = "jax_enable_x64"
#: The names under which `jax.config` is known.
CONFIGS = ("jax.config", "config", "jax_config", "jconfig")
#: Packages that import JAX, which reads the environment variable only then.
IMPORTING_JAX = frozenset(libraries.names("imports_jax"))
#: Functions that switch them on or off when they are called, unless they are contexts.
SWITCHES = frozenset(name for library in libraries.LIBRARIES.values() for name in library.x64)
#: How the context managers are called: `jax.enable_x64`, `jax.experimental.enable_x64`.
CONTEXT = "enable_x64"
#: The file with what holds for all tests of a folder.
OF_TESTS = "conftest.py"
TEST = re.compile(r"test_.*\.py|.*_test\.py")
#: Folders and files of a project that are looked at.
MOST_FOLDERS, MOST_FILES = 500, 1000
#: Functions within each other that are followed from the top level.
DEEPEST = 3


def is_on(program: Program, configured: bool) -> bool:
    """Whether a program has 64-bit types; `configured` is what its settings and the environment say."""
    before = before_tests(program.entries, program, configured)
    said = [said_by(module.text) for module in program.modules.values() if module.text]
    return True if True in said else False if False in said else before


def begins_with(program: Program, configured: bool) -> bool:
    """Whether a program has 64-bit types before its first line: it may set the environment variable before it imports JAX."""
    words = [word_in(module.text) for module in program.modules.values() if module.text]
    of_variable = [word.is_on for word in words if word and word.of_variable]
    return of_variable[-1] if of_variable else before_tests(program.entries, program, configured)


def before_tests(entries: Iterable[str], program: Program, configured: bool) -> bool:
    """What holds when the modules of `entries` begin: the `conftest.py` of tests is imported first."""
    for entry in entries:
        file = Path(program.modules[entry].path)
        if not TEST.fullmatch(file.name):
            continue
        for folder in (file.parent, *file.parent.parents):
            word = _word_of(folder / OF_TESTS)
            if word is not None:
                return word
            if any((folder / mark).exists() for mark in MARKS):
                break
    return configured


class Context(NamedTuple):
    """Lines in which 64-bit types are switched on or off."""

    lines: range
    is_on: bool


def contexts_in(file: Path) -> list[Context]:
    """The ``with jax.enable_x64():`` of a file, outer ones first."""
    try:
        text = decoded(file)
        return [*_contexts(parse(text))] if MENTIONS.search(text) else []
    except UNREADABLE:
        return []


def _contexts(tree: ast.Module) -> Iterator[Context]:
    for node in (node for node in ast.walk(tree) if isinstance(node, ast.With)):
        for item in node.items:
            match item.context_expr:
                case ast.Call(func=called, args=args) if ast.unparse(called).endswith(CONTEXT):
                    value = args[0].value if args and isinstance(args[0], ast.Constant) else not args
                    lines = range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
                    yield Context(lines, bool(value))


class Switches:
    """Which modules of a run of mypy have 64-bit types.

    A module has what the scripts have that import it, and what it says itself or has by its own imports where none does. Where
    scripts differ, it has what the settings say.

    Args:
        files: what is checked.
        configured: what the settings and the environment say.
        trusted: the packages that are libraries.
    """

    def __init__(self, files: Iterable[Path], configured: bool, trusted: Iterable[str]) -> None:
        self._configured = configured
        self._trusted = trusted
        self._files = [file for file in dict.fromkeys(files) if file.suffix == ".py"]
        self._known: dict[Path, bool] | None = None
        self._of: dict[str, bool] = {}
        self._contexts: dict[str, list[Context]] = {}
        self.any = configured or any(self._table().values())

    def of(self, path: str) -> bool:
        """Whether the module in a file has 64-bit types."""
        if path not in self._of:
            table = self._table()
            self._of[path] = table.get(Path(path).resolve(), self._configured) if table else self._configured
        return self._of[path]

    def at(self, path: str, line: int) -> bool:
        """Whether a line of a module has 64-bit types: it may be in a ``with jax.enable_x64():``."""
        if path not in self._contexts:
            self._contexts[path] = contexts_in(Path(path)) if path and self._table() is not None else []
        inner = [context for context in self._contexts[path] if line in context.lines]
        return inner[-1].is_on if inner else self.of(path)

    def _table(self) -> dict[Path, bool]:
        if self._known is None:
            self._known = {}
            if any(_word_of(file) is not None for file in [*self._files, *self._near()]):
                with contextlib.suppress(CommandError):
                    self._known = self._read()
        return self._known

    def _near(self) -> Iterator[Path]:
        """The other files of the folders that are checked, which the given ones may import, or that import these."""
        here = Path.cwd().resolve()
        folders = dict.fromkeys(file.resolve().parent for file in self._files)
        inside = any(folder.is_relative_to(here) for folder in folders)
        for folder in [here] if inside else folders:
            with contextlib.suppress(CommandError):
                yield from itertools.islice(files_below(folder, MOST_FOLDERS), MOST_FILES)

    def _read(self) -> dict[Path, bool]:
        """What each module has: what scripts say counts most, then what others say that import it, then what it says itself."""
        programs, _ = with_callers(collect(self._files, self._trusted), self._trusted)
        tables: tuple[dict[Path, set[bool]], ...] = ({}, {}, {})
        for program in programs:
            for entry in program.entries:
                modules = {name: program.modules[name] for name in sorted(program.reached(entry))}
                verdict = is_on(Program(program.root, [entry], modules), self._configured)
                own = modules[entry]
                runs = is_script(parse(own.text or "")) or TEST.fullmatch(Path(own.path).name)
                for name, module in modules.items():
                    rank = 2 if runs else 0 if name == entry else 1
                    tables[rank].setdefault(Path(module.path).resolve(), set()).add(verdict)
        whole = {path: said for table in tables for path, said in table.items()}
        return {path: said.pop() if len(said) == 1 else self._configured for path, said in whole.items()}


def _word_of(file: Path) -> bool | None:
    """What a file says, which is read again only when it has changed, or an editor holds it."""
    held = unsaved.text_of(file)
    if held is not None:
        return said_by(held)
    try:
        status = file.stat()
    except OSError:
        return None
    key = (status.st_mtime_ns, status.st_size)
    if _words_of_files.get(file, (None, None))[0] != key:
        try:
            word = said_by(decoded(file))
        except UNREADABLE:
            word = None
        _words_of_files[file] = key, word
    return _words_of_files[file][1]


#: What files say, by the time and the size that they had.
_words_of_files: dict[Path, tuple[Any, bool | None]] = {}


class Word(NamedTuple):
    """A statement that switches 64-bit types on or off."""

    is_on: bool
    line: int
    #: Whether it sets the environment variable, which counts if JAX has not been imported.
    of_variable: bool = False


def said_by(text: str) -> bool | None:
    """What a module says of 64-bit types when it is imported or run. None if it says nothing."""
    word = word_in(text)
    return None if word is None else word.is_on


@functools.lru_cache(maxsize=2_000)
def word_in(text: str) -> Word | None:
    """The last word that a module says of 64-bit types when it is imported or run, which counts; None if it says nothing."""
    if not MENTIONS.search(text):
        return None
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    first = min(_imports_of_jax(tree), default=math.inf)
    words = [word for word in _words(tree.body, functions, 0) if not (word.of_variable and word.line > first)]
    return words[-1] if words else None


def _imports_of_jax(tree: ast.Module) -> Iterator[int]:
    """The lines at the top level of a module that import JAX, or a package that does."""
    for statement in tree.body:
        match statement:
            case ast.Import(names=aliases):
                imported = {alias.name.partition(".")[0] for alias in aliases}
            case ast.ImportFrom(module=str(module), level=0):
                imported = {module.partition(".")[0]}
            case _:
                continue
        if imported & IMPORTING_JAX:
            yield statement.lineno


def _words(body: Iterable[ast.stmt], functions: dict[str, ast.FunctionDef], depth: int) -> Iterator[Word]:
    """What statements say that are surely run."""
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Call() as call):
                yield from _of_call(call, functions, depth)
            case ast.Assign(targets=[target], value=ast.Constant(value=value)):
                if ast.unparse(target) in {f"{name}.{OPTION}" for name in CONFIGS} and isinstance(
                    value, bool
                ):
                    yield Word(value, statement.lineno)
                elif _is_variable(target) and isinstance(value, str):
                    yield Word(is_true(value), statement.lineno, of_variable=True)
            case ast.Assign(value=ast.Call() as call) | ast.AnnAssign(value=ast.Call() as call):
                yield from _of_call(call, functions, depth)
            case ast.If(test=test, body=inner) if _is_main(test):
                yield from _words(inner, functions, depth)
            case ast.Try(body=inner, finalbody=last):
                yield from _words([*inner, *last], functions, depth)
            case ast.With(body=inner):
                yield from _words(inner, functions, depth)


def _of_call(call: ast.Call, functions: dict[str, ast.FunctionDef], depth: int) -> Iterator[Word]:
    name = ast.unparse(call.func)
    if name in {f"{config}.update" for config in CONFIGS}:
        match [*call.args, *(keyword.value for keyword in call.keywords)]:
            case [ast.Constant(value=option), ast.Constant(value=bool(value))] if option == OPTION:
                yield Word(value, call.lineno)
    elif name in SWITCHES:
        match [*call.args, *(keyword.value for keyword in call.keywords)]:
            case []:
                yield Word(True, call.lineno)
            case [ast.Constant(value=bool(value))]:
                yield Word(value, call.lineno)
    elif name == "os.environ.setdefault":
        match call.args:
            case [ast.Constant(value=variable), ast.Constant(value=str(text))] if variable == X64_VARIABLE:
                yield Word(is_true(text), call.lineno, of_variable=True)
    elif name in functions and depth < DEEPEST:
        yield from _words(functions[name].body, functions, depth + 1)


def _is_variable(target: ast.expr) -> bool:
    """``os.environ["JAX_ENABLE_X64"]``"""
    match target:
        case ast.Subscript(value=holder, slice=ast.Constant(value=name)):
            return name == X64_VARIABLE and ast.unparse(holder) in ("os.environ", "environ")
    return False


def _is_main(test: ast.expr) -> bool:
    """``__name__ == "__main__"``"""
    return any(isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(test))
