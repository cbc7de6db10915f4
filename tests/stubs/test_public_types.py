"""``jaxtyping_core.typing`` offers type checkers what it offers at run time."""

from __future__ import annotations

import ast

from test_surface import exported

import jaxtyping_core.typing
from conftest import ROOT


def test_names() -> None:
    stub = ast.parse((ROOT / "jaxtyping_core" / "typing.pyi").read_text(encoding="utf-8"))
    assert {name for name in exported(stub) if not name.startswith("_")} == set(jaxtyping_core.typing.__all__)
