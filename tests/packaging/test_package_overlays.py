"""The engine names no library: what is known of each stands in its overlay."""

from __future__ import annotations

import re
from pathlib import Path

import jaxtyping_core
from jaxtyping_core.engine.libraries import registry
from jaxtyping_core.overlays import ONLOOKERS

PACKAGE = Path(jaxtyping_core.__file__).parent
#: Parts of libraries, and short names of them, that would name them, too.
PARTS = frozenset({"nnx", "linen", "eqx"})


def test_the_engine_names_no_library() -> None:
    libraries = registry.libraries() | ONLOOKERS | PARTS
    word = re.compile(rf"\b({'|'.join(map(re.escape, sorted(libraries)))})\b", re.IGNORECASE)
    named = [
        f"{path.relative_to(PACKAGE)}:{number}: {text.strip()}"
        for path in sorted((PACKAGE / "engine").rglob("*.py"))
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if word.search(text)
    ]
    assert not named, "\n".join(named)


def test_each_overlay_is_that_of_its_library() -> None:
    registry.load(registry.libraries())
    overlays = {overlay.library for overlay in registry.loaded()}
    assert registry.libraries() <= overlays
    assert len(registry.libraries()) > 10
    assert ONLOOKERS.isdisjoint(registry.libraries())
