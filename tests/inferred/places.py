"""The places of which mypy with the plugin infers something, in functions without annotations too."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from mypy.build import BuildResult
from mypy.nodes import MypyFile

from inferred.builds import build_texts
from inferred.targets import Target, targets_of
from jaxtyping_core.checking.configuration import find_config, write_config
from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.programs.places import Place
from jaxtyping_core.programs.sources import collect, parse
from jaxtyping_core.programs.x64 import Switches
from jaxtyping_core_mypy import settings
from jaxtyping_core_mypy.convert import Symbols, Type, read_array, union_items

#: The members of a union that says what a value is, and does not only begin to.
LONGEST = 3


class Inferred(NamedTuple):
    """What mypy says of files, and where each of them has a place."""

    result: BuildResult
    targets: dict[str, list[Target]]


def infer(files: Sequence[Path]) -> list[Place]:
    """The places of the programs that `files` belong to, under the configuration of the current folder."""
    places: list[Place] = []
    with tempfile.TemporaryDirectory() as folder:
        config = write_config(find_config(None), Path(folder), with_targets=False)
        for program in collect(files, ()):
            texts = {module.path: module.text or "" for module in program.entry_modules}
            configured = settings.load(Path.cwd(), config)
            switches = Switches(map(Path, texts), configured.x64, configured.trusted)
            places += places_of(infer_with(texts, ["--config-file", str(config)]), switches.of)
    return places


def infer_with(texts: Mapping[str, str], arguments: Sequence[str]) -> Inferred:
    """What mypy says of files under these arguments.

    Raises:
        CompileError, InvalidSourceList, SystemExit: mypy cannot check them.
    """
    targets: dict[str, list[Target]] = {}

    def watch(tree: MypyFile) -> None:
        if tree.path in texts:
            targets[tree.path] = list(targets_of(tree, parse(texts[tree.path])))

    return Inferred(build_texts(texts, arguments, watch), targets)


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
