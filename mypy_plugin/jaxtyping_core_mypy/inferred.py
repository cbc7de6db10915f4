"""What mypy infers where a program assigns to a name, or returns: run as a process of its own.

``python -P -m jaxtyping_core_mypy.inferred`` reads a request from standard input, ``{"config": file of mypy's
configuration, "python": the interpreter with the program's packages or null, "programs": [{path: text}]}``, and writes
a report as `jaxtyping_core.programs.report` decodes it.

Functions without annotations are checked as well, which says something of them whatever they are called with; mypy's
cache, which the user's runs share, is read but for these modules, and what is found of them is not kept.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from mypy.build import BuildResult
from mypy.errors import CompileError
from mypy.find_sources import InvalidSourceList
from mypy.nodes import MypyFile

from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.evaluation.parent import end_with_parent
from jaxtyping_core.programs.places import Place
from jaxtyping_core.programs.sources import parse
from jaxtyping_core.programs.x64 import Switches
from jaxtyping_core_mypy import settings
from jaxtyping_core_mypy.builds import build_texts
from jaxtyping_core_mypy.convert import Symbols, Type, read_array, union_items
from jaxtyping_core_mypy.targets import Target, targets_of

#: The members of a union that says what a value is, and does not only begin to.
LONGEST = 3
#: The options of the modules that places are wanted of.
OPTIONS = {"check_untyped_defs": True, "ignore_errors": False}


def main() -> None:
    """Answer the request on standard input."""
    end_with_parent()
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
    arguments = ["--config-file", config, *(["--python-executable", python] if python else [])]
    inferred = infer_with(texts, arguments)
    configured = settings.load(Path.cwd(), Path(config))
    switches = Switches(map(Path, texts), configured.x64, configured.trusted)
    return list(places_of(inferred, switches.of))


class Inferred(NamedTuple):
    """What mypy found, and where some files have a place."""

    result: BuildResult
    targets: dict[str, list[Target]]


def infer_with(texts: Mapping[str, str], arguments: Sequence[str]) -> Inferred:
    """What mypy finds in files under these arguments.

    Raises:
        CompileError, InvalidSourceList, SystemExit: mypy cannot check them.
    """
    targets: dict[str, list[Target]] = {}

    def watch(tree: MypyFile) -> None:
        if tree.path in texts:
            targets[tree.path] = list(targets_of(tree, parse(texts[tree.path])))

    return Inferred(build_texts(texts, arguments, OPTIONS, watch), targets)


def places_of(inferred: Inferred, x64: Callable[[str], bool]) -> Iterator[Place]:
    """The places of which mypy knows something; `x64` says whether a file's program has 64-bit types."""
    for path, targets in inferred.targets.items():
        for target in targets:
            typ = target.value(inferred.result.types)
            known = None if typ is None else array_of(typ, x64(path))
            if known is not None:
                yield Place(path, target.line, target.column, target.name, known)


def array_of(typ: Type, x64: bool) -> AbstractArray | None:
    """What a type says of the array that it is for; None where that is nothing."""
    array = None if _is_long(typ) else read_array(typ, Symbols(), x64)
    if array is None or (array.dtype is None and array.shape is None):
        return None
    # A dtype class may be that of a declaration, which a weak array satisfies as well.
    weak = True if array.dtype is not None and array.weak else None
    return AbstractArray(array.dtypes, weak, array.shape)


def _is_long(typ: Type) -> bool:
    """Whether a type may be a list of what was tried, such as the sizes of an array that grows in a loop."""
    return len(union_items(typ)) > LONGEST


if __name__ == "__main__":
    main()
