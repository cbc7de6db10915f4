"""The source that an answer about a call of a program's function depends on."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jaxtyping_core.programs import changes
from jaxtyping_core.programs.sources import Program, collect, parse, read


@dataclass(frozen=True)
class Sources:
    """Modules of a program, as the child takes them.

    Attributes:
        digest: tells them from all others.
        names: the modules by their files.
        request: what the child is sent.
    """

    digest: str
    names: dict[Path, str]
    request: dict[str, Any]


def sources_of(files: Sequence[Path], caller: Path | None, trusted: Iterable[str]) -> Sources | None:
    """All that calls of functions in `files` may depend on; None where these are of several programs.

    Args:
        files: the modules of the functions; none where they are of installed packages alone.
        caller: the module with the call, which may change those modules' variables.
        trusted: the packages that an evaluation may call.

    Raises:
        CommandError: a file cannot be read as Python.
    """
    programs = collect(files, trusted) if files else [Program(Path())]
    if len(programs) != 1:
        return None
    program = programs[0]
    trees = {name: parse(module.text or "") for name, module in program.modules.items()}
    if caller is not None and caller not in {Path(module.path) for module in program.modules.values()}:
        trees["<caller>"] = read(caller)[1]
    changed = changes.changes_in(trees)
    known = {name for name in trees if name != "<caller>"}
    words = {word for name in known for word in _words(trees[name])}
    of_caller = _words(trees["<caller>"]) if "<caller>" in trees else set()
    sources = {
        "modules": {
            name: {**module.as_json(), "text": None if name in changed.uncertain else module.text}
            for name, module in sorted(program.modules.items())
        },
        "trust": list(trusted),
        "rebound": {name: sorted(changed.rebound[name] & words) for name in sorted(known)},
        "changed": sorted(changed.changed & (words | of_caller)),
        "outer": sorted(changed.outer & words),
        "assigned": None if changed.assigned is None else sorted(changed.assigned & words),
    }
    digest = hashlib.sha256(json.dumps(sources).encode()).hexdigest()
    request = {"sources": {"digest": digest, **sources}, "x64": False, "promotion": "standard"}
    return Sources(digest, _names(program), request)


def _words(tree: ast.Module) -> set[str]:
    """The names of a module, so that those that it does not have change no digest."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.update(part for part in (node.name, node.asname) if part)
    return found


def _names(program: Program) -> dict[Path, str]:
    return {Path(module.path).resolve(): name for name, module in program.modules.items()}
