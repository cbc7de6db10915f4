"""The layers of the package: imports go down, no circle of modules, and no import in a function without its reason."""

from __future__ import annotations

import pytest
from packaging_layers import Import, circles, imports, modules

#: The layers, each with the lower ones that it may import. `_annotations` reads what users write, below all of them.
LAYERS = {
    "domain": (),
    "contracts": ("domain",),
    "sampling": ("domain",),
    "engine": ("domain", "contracts", "sampling"),
    "overlays": ("domain", "contracts", "sampling", "engine"),
}
#: What is below the layers: names and tables of dtypes, how annotations are read, what messages between processes hold.
BELOW = (
    *(
        "dtypes",
        "lattice",
        "promotion",
        "systems",
        "errors",
        "reading",
        "identity",
        "libraries",
        "rules",
        "scripts",
    ),
    "_annotations",
    *("evaluation.protocol", "evaluation.progress"),
)
IMPORTS = [*imports(modules())]


def layer_of(module: str) -> str | None:
    """The layer that a module is in."""
    return next((layer for layer in LAYERS if module == layer or module.startswith(f"{layer}.")), None)


def test_arrows_go_down() -> None:
    wrong = [
        f"{edge.importer}:{edge.line} imports {edge.imported}"
        for edge in IMPORTS
        if (layer := layer_of(edge.importer)) is not None and not _is_below(edge, layer)
    ]
    assert not wrong, "\n".join(wrong)


def _is_below(edge: Import, layer: str) -> bool:
    target = layer_of(edge.imported)
    if target is not None:
        return target == layer or target in LAYERS[layer]
    return edge.imported == "" or any(f"{edge.imported}.".startswith(f"{name}.") for name in BELOW)


def test_there_are_no_circles() -> None:
    of_layers = [edge for edge in IMPORTS if layer_of(edge.importer) and layer_of(edge.imported)]
    assert [circle for circle in circles(of_layers) if len(circle) > 2] == []


def test_imports_in_functions_have_reasons() -> None:
    wrong = [
        f"{edge.importer}:{edge.line} imports {edge.imported}"
        for edge in IMPORTS
        if layer_of(edge.importer) and edge.in_function and not edge.has_reason
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ([("a", "b"), ("b", "c")], []),
        ([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")], [["a", "b", "c"]]),
        ([("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")], [["a", "b"], ["c", "d"]]),
    ],
)
def test_circles(edges: list[tuple[str, str]], expected: list[list[str]]) -> None:
    assert circles([Import(*edge, 1, False, False) for edge in edges]) == expected
