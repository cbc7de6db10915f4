"""Neither the engine nor what it stands on names a library: what is known of each stands in its overlay, or in their table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import jaxtyping_core
from jaxtyping_core.engine.libraries import registry
from jaxtyping_core.libraries import LIBRARIES
from jaxtyping_core.overlays import ONLOOKERS

PACKAGE = Path(jaxtyping_core.__file__).parent
#: Parts of libraries, and short names of them, that would name them, too.
PARTS = frozenset({"nnx", "linen", "eqx"})
#: What all of this is about.
OURS = frozenset({"jax", "numpy", "ml_dtypes", "jaxtyping_core"})
#: What may name none. Of the other clients, some write annotations as a library wants them.
NAMELESS = ("engine", "sampling", "domain", "programs", "evaluation", "settings.py")
#: What is about the difference between libraries, and so names these.
OF_DIFFERENCES = frozenset({"port.py", "port_differences.py"})


def files(place: Path) -> list[Path]:
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


def libraries_of_table() -> frozenset[str]:
    return frozenset(LIBRARIES)


@pytest.mark.parametrize("place", NAMELESS)
def test_no_library_is_named(place: str) -> None:
    # The notation of annotations is ours as well, and syntax trees have a field of that name.
    notation = {"jaxtyping", "attr"}
    libraries = (registry.libraries() | libraries_of_table() | PARTS) - notation - OURS
    libraries |= ONLOOKERS if place == "engine" else frozenset()  # elsewhere these are words
    # JAX has a module of that name.
    word = re.compile(rf"(?<!jax\.)\b({'|'.join(map(re.escape, sorted(libraries)))})\b", re.IGNORECASE)
    named = [
        f"{path.relative_to(PACKAGE)}:{number}: {text.strip()}"
        for path in files(PACKAGE / place)
        if path.name not in OF_DIFFERENCES
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
