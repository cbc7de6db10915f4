"""mypy with the plugin: what it infers in the programs of `cases/`, and what it refuses, in one run."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Mapping
from pathlib import Path

import pytest

import mypy_cache
from claims import cases
from claims.cases import Case
from claims.expected import Error, Said, expected, said
from jaxtyping_core.checking.formats import OPTIONS as AS_JSON
from jaxtyping_core.checking.formats import Diagnostic, read
from jaxtyping_core.evaluation.protocol import CODES
from jaxtyping_core.programs.places import Place
from jaxtyping_core_mypy.inferred import infer_with, places_of

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
            Error(each.line or 0, KINDS[each.code], each.message)
            for each in errors
            if folder / each.file == file and each.severity == "error" and each.code in KINDS
        ],
    )


@pytest.mark.parametrize("case", cases.parameters("plugin"))
def test_plugin(told: Mapping[str, Said], case: Case) -> None:
    assert told[case.id] == expected(case, "plugin")
