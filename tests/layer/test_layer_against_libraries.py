"""The functions of the layer under "torch" and "tensorflow": the libraries' dtypes, but for what docs/reference/layer/ lists.

What the libraries answer is recorded in tests/layer/data. CI tries some of the calls; all with ``ALL_PAIRS=1``.
"""

from __future__ import annotations

import itertools
import json
import os
import re
from pathlib import Path

import jax
import pytest
from library_differences import DATA, LIBRARIES, differing, record, recorded, table, text

import jaxtyping_core.numpy as jnp


def listed(library: str) -> set[str]:
    return set(re.findall(r"^\| `([\w.]+)` ", table(library).read_text(), re.MULTILINE))


@pytest.mark.one_python
@pytest.mark.parametrize("library", LIBRARIES)
def test_the_dtypes_are_those_of_the_library(library: str) -> None:
    sample = itertools.islice(recorded(library).items(), 0, None, 41)
    assert {call[0] for call in differing(library, sample)} <= listed(library)


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_reason_is_of_a_difference(library: str) -> None:
    assert LIBRARIES[library].reasons.keys() == listed(library)


@pytest.mark.skipif(not os.environ.get("ALL_PAIRS"), reason="half a minute; ALL_PAIRS=1 asks for it")
@pytest.mark.parametrize("library", LIBRARIES)
def test_the_tables_are_current(library: str) -> None:
    assert table(library).read_text() == text(library)


@pytest.mark.parametrize("library", LIBRARIES)
def test_what_is_recorded_is_what_the_library_answers(library: str, tmp_path: Path) -> None:
    installed = pytest.importorskip(library, reason=f"{library} is no dependency of this project")
    version = json.loads((DATA / f"{library}.json").read_text())["version"]
    # What stands after "+" is the device that it was built for.
    if installed.__version__.partition("+")[0] != version.partition("+")[0]:
        pytest.skip(
            f"{library} {version} was recorded, and may answer otherwise than {installed.__version__}"
        )
    record(library, tmp_path)
    assert recorded(library, tmp_path) == recorded(library)


def test_a_reciprocal_of_integers_is_pytorchs() -> None:
    with jax.enable_x64(True), jnp.promotion("torch"):
        assert jnp.reciprocal(jnp.asarray([1, 2], "int64")).dtype == "float32"
