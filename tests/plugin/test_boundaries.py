"""Who may know what: mypy's types are known to `convert` alone, and the child's modules to the child."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import jaxtyping_core.evaluation
import jaxtyping_core_mypy

PLUGIN = Path(jaxtyping_core_mypy.__path__[0])
EVALUATION = Path(jaxtyping_core.evaluation.__path__[0])
#: What else of mypy there is to know: programs as trees, how mypy is run and asks, what it says. All other modules
#: represent types or compute with them.
NOT_OF_TYPES = (
    *("mypy.nodes", "mypy.traverser", "mypy.literals", "mypy.binder"),
    *("mypy.build", "mypy.find_sources", "mypy.main", "mypy.modulefinder", "mypy.options"),
    *("mypy.plugin", "mypy.plugins.functools", "mypy.errorcodes", "mypy.errors"),
)


def imports(file: Path) -> Iterator[str]:
    """The modules that a file imports, and the names from them."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from (f"{module}.{name.name}" for name in node.names)


def test_only_convert_knows_mypys_types() -> None:
    outside = [file for file in PLUGIN.rglob("*.py") if PLUGIN / "convert" not in file.parents]
    assert len(outside) > 10
    of_mypy = [
        (file.name, name) for file in outside for name in imports(file) if name.split(".")[0] == "mypy"
    ]
    assert len(of_mypy) > 10
    assert not [row for row in of_mypy if {row[1], row[1].rpartition(".")[0]}.isdisjoint(NOT_OF_TYPES)]


def test_the_plugin_does_not_know_the_child() -> None:
    names = [(file.name, name) for file in PLUGIN.rglob("*.py") for name in imports(file)]
    assert not [
        row for row in names if "evaluation.child" in row[1] or row[1].startswith("jaxtyping_core.engine")
    ]


def test_the_child_needs_nothing_of_the_package() -> None:
    folders = [
        EVALUATION / "child",
        *(EVALUATION.parent / layer for layer in ("domain", "sampling", "engine")),
    ]
    files = [file for folder in folders for file in folder.rglob("*.py")]
    absolute = {
        (file.name, name) for file in files for name in imports(file) if name.startswith("jaxtyping_core")
    }
    assert len(files) > 50
    assert not absolute
