"""What recorded runs got from outside of a program, for the process that evaluates it: that process reads no files.

Runs are recorded by `jaxtyping-core record`. What was recorded of a statement counts as long as the statement is the same, wherever
it stands in the file now.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.import_roots import is_installed, project_of
from jaxtyping_core.programs.sites import Sites
from jaxtyping_core.programs.sources import Module, Program, parse
from jaxtyping_core.recording import DEFAULT

#: Expressions of one program of which something is told.
MOST = 20_000


def of_program(program: Program) -> dict[str, Any]:
    """What was observed in the modules of a program: empty, or what a request has as "observed"."""
    if is_installed(program.root):
        return {}
    folders = [Path.cwd(), program.root.resolve(), project_of(program.root)]
    stores = [store for store in dict.fromkeys(folder / DEFAULT for folder in folders) if store.exists()]
    return _in_stores(stores, program) if stores else {}


def _in_stores(stores: Sequence[Path], program: Program) -> dict[str, Any]:
    # Imported where something was recorded: that takes as long as the rest of this package.
    from jaxtyping_core.recording.observed import encode
    from jaxtyping_core.recording.store import borders_of

    modules = {Path(module.path).resolve(): module for module in program.modules.values() if module.text}
    files: dict[str, list[list[Any]]] = {}
    digest = hashlib.sha256()
    for store in stores:
        try:
            recorded = borders_of(store, modules)
        except (CommandError, OSError, RecursionError):  # `annotate`, which is asked to read it, says why
            continue
        for file, values in recorded.items():
            if not values or str(modules[file].path) in files:
                continue
            files[modules[file].path] = [*_there(modules[file], values, encode)][:MOST]
            written = sorted(json.dumps([*site, encode(value)]) for site, value in values.items())
            digest.update(json.dumps([str(file), written]).encode())
    files = {file: told for file, told in files.items() if told}
    return {"files": files, "digest": digest.hexdigest()} if files else {}


def _there(module: Module, values: Any, encode: Callable[[Any], Any]) -> Iterator[list[Any]]:
    """The expressions that are still there, each with where it is now and what was observed."""
    text = module.text or ""
    try:
        sites = Sites(text, parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for site, value in values.items():
        span = sites.span(site)
        if span is not None:
            yield [*span, encode(value)]
