"""mypy with the plugin: what it infers in the programs of `cases/`, and what it refuses, in one run."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

import mypy_cache
from claims import cases
from claims.cases import Case
from claims.expected import Error, Said, expected, said
from claims.marks import MAYBE
from inferred.places import infer_with, places_of
from jaxtyping_core.checking.formats import Diagnostic
from jaxtyping_core.checking.records import OPTIONS as AS_JSON
from jaxtyping_core.checking.records import read
from jaxtyping_core.domain.formatting import ANY_DTYPE
from jaxtyping_core.evaluation.protocol import CODES
from jaxtyping_core.programs.places import Place

pytestmark = pytest.mark.one_python  # long, and no matter of Python or JAX
KINDS = {code: kind for kind, code in CODES.items()}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Said]:
    """What mypy says of each case."""
    folder = tmp_path_factory.mktemp("cases")
    of_plugin = cases.of("plugin")
    files = cases.write(folder, of_plugin)
    (folder / "mypy.ini").write_text(f"[mypy]\nplugins = {mypy_cache.PLUGIN}\n")
    cache = mypy_cache.begin(folder / ".mypy_cache")
    arguments = [f"--config-file={folder / 'mypy.ini'}", f"--cache-dir={cache}", *AS_JSON]
    texts = {str(files[case.id]): case.text for case in of_plugin}
    with contextlib.chdir(folder):
        inferred = infer_with(texts, arguments)
        places = [*places_of(inferred, lambda _: False)]
    spell = functools.partial(str)
    errors = [each for line in inferred.result.errors if (each := read(line, spell))]
    return {case.id: _of_case(case, folder, files[case.id], places, errors) for case in of_plugin}


def _of_case(case: Case, folder: Path, file: Path, places: list[Place], errors: list[Diagnostic]) -> Said:
    return said(
        case,
        "plugin",
        [place for place in places if place.file == str(file)],
        [
            _where_it_is(each, file)
            for each in errors
            if folder / each.file == file and each.severity == "error" and each.code in KINDS
        ],
    )


def _where_it_is(error: Diagnostic, file: Path) -> Error:
    """An error, which mypy may have at the call of the function that it is in."""
    inner = re.match(rf"JAX refuses .*?: in \S+ \({re.escape(file.name)}:(\d+)\): (.*)", error.message)
    line, message = (int(inner[1]), inner[2]) if inner else (error.line or 0, error.message)
    return Error(line, KINDS[str(error.code)], message)


@pytest.mark.parametrize("case", cases.parameters("plugin"))
def test_plugin(told: Mapping[str, Said], case: Case) -> None:
    """What types tell is marked for the plugin; what the evaluation tells may be there as well."""
    actual, of_types, of_engine = told[case.id], expected(case, "plugin"), expected(case, "engine")
    for place, values in actual.places.items():
        known = of_engine.places.get(place, [])
        told_by_types = (known, [*map(_of_types, known)], [*map(_without_dtype, known)])
        assert values in (of_types.places[place], *told_by_types), place
    for line in {*actual.errors, *of_types.errors}:
        assert actual.errors.get(line) in (of_types.errors.get(line), of_engine.errors.get(line)), line


def _of_types(value: str) -> str:
    """A value as types have it: they do not tell whether an array is weak."""
    return f"{MAYBE}{value.removeprefix('weak ')}"


def _without_dtype(value: str) -> str:
    """A value whose dtype has no class, for it may be weak or not."""
    return f"{ANY_DTYPE}[{value.partition('[')[2]}" if value.startswith(MAYBE) else value
