"""What mypy infers where a program assigns to a name, or returns: run as a process of its own.

``python -P -m jaxtyping_core_mypy.inferred`` reads a request from standard input, ``{"config": file of mypy's
configuration, "python": the interpreter with the program's packages or null, "programs": [{path: text}]}``, and writes
a report as `jaxtyping_core.programs.report` decodes it.

Functions without annotations are checked as well, which says something of them whatever they are called with; mypy's
cache, which the user's runs share, is read but for these modules, and what is found of them is not kept.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from mypy.build import BuildResult, build
from mypy.errors import CompileError
from mypy.find_sources import InvalidSourceList, create_source_list
from mypy.main import process_options
from mypy.modulefinder import BuildSource
from mypy.nodes import MypyFile
from mypy.options import Options

from jaxtyping_core.programs.places import Place
from jaxtyping_core_mypy import settings
from jaxtyping_core_mypy.convert import Symbols, Type, read_array, union_items
from jaxtyping_core_mypy.plugin import JaxPlugin
from jaxtyping_core_mypy.targets import Target, targets_of

#: The members of a union that says what a value is, and does not only begin to.
LONGEST = 3
#: The options of the modules that places are wanted of.
OPTIONS = {"check_untyped_defs": True, "ignore_errors": False, "cache_dir": os.devnull}


def main() -> None:
    """Answer the request on standard input."""
    request = json.load(sys.stdin)
    places: list[Place] = []
    notes: list[str] = []
    with contextlib.redirect_stdout(sys.stderr):
        for texts in request["programs"]:
            try:
                places += infer(texts, request["config"], request["python"])
            except CompileError as error:
                notes += [f"mypy: {message}" for message in error.messages[:1]]
            except (InvalidSourceList, SystemExit) as error:
                notes.append(f"mypy: {error}")
    known = [place.as_json() for place in places]
    print(json.dumps({"places": known, "refusals": [], "notes": notes, "complete": True}))


def infer(texts: Mapping[str, str], config: str, python: str | None) -> list[Place]:
    """The places of one program; `texts` are those of its files, by their paths.

    Raises:
        CompileError, InvalidSourceList, SystemExit: mypy cannot check them.
    """
    said = io.StringIO()
    arguments = ["--config-file", config, *(["--python-executable", python] if python else [])]
    _, options = process_options(arguments, stdout=said, stderr=said, require_targets=False)
    sources = [
        BuildSource(source.path, source.module, texts[str(source.path)], source.base_dir)
        for path in texts
        for source in _sources(path, options)
    ]
    for source in sources:
        options.per_module_options.setdefault(source.module, {}).update(OPTIONS)
    options.export_types, options.num_workers, options.report_dirs = True, 0, {}
    targets: dict[str, list[Target]] = {}

    def watch(tree: MypyFile) -> None:
        if tree.path in texts:
            targets[tree.path] = list(targets_of(tree, ast.parse(texts[tree.path])))

    JaxPlugin.watchers.append(watch)
    try:
        result = build(sources, options, stdout=said, stderr=said)
    finally:
        JaxPlugin.watchers.remove(watch)
    x64 = settings.load(Path.cwd(), Path(config)).x64
    return [place for path, found in targets.items() for place in _places(path, found, result, x64)]


def _sources(path: str, options: Options) -> Iterator[BuildSource]:
    """What mypy checks a file as; it changes how the path is written."""
    for source in create_source_list([path], options):
        yield BuildSource(path, source.module, None, source.base_dir)


def _places(path: str, targets: list[Target], result: BuildResult, x64: bool) -> Iterator[Place]:
    """The targets whose values mypy knows something of."""
    for target in targets:
        typ = target.value(result.types)
        array = None if typ is None or _is_long(typ) else read_array(typ, Symbols(), x64)
        if array is None or (array.dtype is None and array.dims is None):
            continue
        # A dtype class may be that of a declaration, which a weak array satisfies as well.
        weak = True if array.dtype is not None and array.weak else None
        yield Place(path, target.line, target.column, target.name, array.dtype, weak, array.dims)


def _is_long(typ: Type) -> bool:
    """Whether a type may be a list of what was tried, such as the sizes of an array that grows in a loop."""
    return len(union_items(typ)) > LONGEST


if __name__ == "__main__":
    main()
