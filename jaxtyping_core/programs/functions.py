"""The source that an answer about a call of a program's function depends on."""

from __future__ import annotations

import ast
import functools
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from jaxtyping_core.domain.values import Value, functions_in
from jaxtyping_core.programs import mutations, program_mutations
from jaxtyping_core.programs.dependencies import Reach
from jaxtyping_core.programs.sources import Program, collect, imports_of, parse, read
from jaxtyping_core.programs.syntax import kept, nodes_of


@dataclass(frozen=True)
class Sources:
    """Modules of a program, as the child takes them.

    Attributes:
        digest: tells them from all others.
        names: the modules by their files.
        request: what the child is sent.
        reach: what calls of some of the functions may reach.
    """

    digest: str
    names: dict[Path, str]
    request: dict[str, Any]
    reach: Reach

    def about(self, *values: Value) -> dict[str, Any]:
        """What `Evaluator.ask` takes of the program for a question in which there are these values."""
        functions = [own for value in values for own in functions_in(value)]
        names = {own.name.partition(".")[0] for own in functions}
        modules = sorted({own.module for own in functions if own.module})
        return {
            "digest": self.digest,
            "request": self.request,
            "reached": self.reach.digest(names),
            "definitions": self.reach.definitions(names),
            "modules": modules,
        }


def sources_of(files: Sequence[Path], caller: Path | None, trusted: Iterable[str]) -> Sources | None:
    """All that calls of functions in `files` may depend on; None where these are of several programs.

    Args:
        files: the modules of the functions; none where they are of installed packages alone.
        caller: the module with the call, which may change those modules' variables.
        trusted: the packages that an evaluation may call.

    Raises:
        CommandError: a file cannot be read as Python.
    """
    return Reading(trusted).sources_of(files, caller)


class Reading:
    """Programs as they are when they are first asked about: each is read once, however many of its functions are called.

    Args:
        trusted: the packages that an evaluation may call.
    """

    def __init__(self, trusted: Iterable[str]) -> None:
        self._trusted = list(trusted)
        self._programs: dict[tuple[Path, ...], Program | None] = {}
        self._sources: dict[tuple[frozenset[tuple[str, str]], Path | None], Sources] = {}

    def sources_of(self, files: Sequence[Path], caller: Path | None) -> Sources | None:
        """As the function `sources_of`.

        Raises:
            CommandError: a file cannot be read as Python.
        """
        key = tuple(files)
        if key not in self._programs:
            programs = collect(files, self._trusted) if files else [Program(Path())]
            self._programs[key] = programs[0] if len(programs) == 1 else None
        program = self._programs[key]
        if program is None:
            return None
        modules = {name: module.path for name, module in program.modules.items()}
        other = None if caller is None or str(caller) in modules.values() else caller
        # Most modules of a package import each other, so that they are one program.
        whole = (frozenset(modules.items()), other)
        if whole not in self._sources:
            self._sources[whole] = _sources(program, other, self._trusted)
        return self._sources[whole]


def _sources(program: Program, caller: Path | None, trusted: Sequence[str]) -> Sources:
    """What the child takes of a program, which a module `caller` that is no part of it may change."""
    read_of = {name: _read(module.text or "") for name, module in program.modules.items()}
    of_caller = None if caller is None else _read(read(caller)[0])
    every = {**read_of, **({} if of_caller is None else {"<caller>": of_caller})}
    changed = program_mutations.changes_in({name: module.source for name, module in every.items()})
    words = {word for module in read_of.values() for word in module.words}
    words_of_caller = frozenset() if of_caller is None else of_caller.words
    texts = {
        name: None if name in changed.uncertain else module.text
        for name, module in sorted(program.modules.items())
    }
    rest = {
        "trust": list(trusted),
        "rebound": {name: sorted(changed.rebound[name] & words) for name in sorted(read_of)},
        "changed": sorted(changed.changed & (words | words_of_caller)),
        "outer": sorted(changed.outer & words),
        "assigned": None if changed.assigned is None else sorted(changed.assigned & words),
    }
    modules = {
        name: {
            **program.modules[name].as_json(),
            "text": text,
            "imports": imports_of(name, program.modules[name]),
        }
        for name, text in texts.items()
    }
    sources = {"modules": modules, **rest}
    digest = hashlib.sha256(json.dumps(sources).encode()).hexdigest()
    request = {"sources": {"digest": digest, **sources}, "x64": False, "promotion": "standard"}
    files = {name: [module.path, module.package] for name, module in program.modules.items()}
    return Sources(digest, _names(program), request, Reach(texts, {**rest, "files": files}))


class _Read(NamedTuple):
    """What the text of a module says, and the names in it, so that those that it does not have change no digest."""

    source: program_mutations.Source
    words: frozenset[str]


@functools.lru_cache(maxsize=2_000)
def _read(text: str) -> _Read:
    tree = parse(text)
    return _Read(mutations.read(tree), frozenset[str]().union(*map(_words, tree.body)))


@kept
def _words(statement: ast.stmt) -> frozenset[str]:
    """The names in a statement."""
    return frozenset(_names_in(nodes_of(statement)))


def _names_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield from (part for part in (node.name, node.asname) if part)


def _names(program: Program) -> dict[Path, str]:
    return {Path(module.path).resolve(): name for name, module in program.modules.items()}
