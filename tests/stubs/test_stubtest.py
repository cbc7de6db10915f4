"""The stubs agree with the installed JAX, except where an allowlist says why they do not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import jax
import pytest
from mypy import stubtest
from mypy.options import Options

STUBS = Path(__file__).parents[2] / "stubs"
RELEASE = ".".join(jax.__version__.split(".")[:2])
ALLOWLIST = STUBS / "stubtest" / f"{RELEASE}.txt"


def modules() -> Iterator[str]:
    """The modules that have a stub."""
    for path in sorted((STUBS / "jax-stubs").rglob("*.pyi")):
        parts = path.relative_to(STUBS / "jax-stubs").with_suffix("").parts
        yield ".".join(("jax", *(part for part in parts if part != "__init__")))


def reports() -> Iterator[str]:
    """What stubtest has to say of each object, in a line each.

    Its command is of no use here: it searches packages for more modules, and finds JAX's sources.
    """
    options = Options()
    options.incremental = False
    options.pos_only_special_methods = False
    options.process_strict_bytes()
    names = stubtest.build_stubs(list(modules()), options)
    for name in names:
        for error in stubtest.test_module(name):
            if not error.is_private_type_check_only_related():  # a private name that only the stub has
                yield f"{error.object_desc} {error.message}".replace("\n", " ")


def allowed() -> list[str]:
    """The regular expressions of the allowlist."""
    lines = ALLOWLIST.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.skipif(not ALLOWLIST.exists(), reason=f"the committed stubs are not those of JAX {RELEASE}")
def test_stubs_agree_with_jax() -> None:
    patterns = {line: re.compile(line) for line in allowed()}
    used = set()
    wrong = []
    for report in reports():
        matching = [line for line, pattern in patterns.items() if pattern.fullmatch(report)]
        used.update(matching)
        if not matching:
            wrong.append(report)
    assert not wrong, "\n".join(wrong)
    assert not (unused := [line for line in patterns if line not in used]), "\n".join(["unused:", *unused])
