"""Draws an order of dtypes."""

from __future__ import annotations

import importlib
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from jaxtyping_core.cli.files import write
from jaxtyping_core.errors import CommandError

SUFFIXES = (".svg", ".png")

#: The height at which the dtypes of a kind are drawn, and that of single dtypes.
LANES = {"u": 0.0, "b": 1.2, "f": 1.2, "i": 2.4, "c": 3.6, "i*": 1.2, "bf16": 0.75, "f16": 1.65}


def save(edges: Mapping[str, Sequence[str]], output: Path) -> None:
    """Draw `edges` into the file `output`, which is either written completely or left alone.

    Raises:
        CommandError: the name has another suffix, the file cannot be written, or the libraries that
            draw are not installed.
    """
    if output.suffix not in SUFFIXES:
        raise CommandError(
            f"cannot draw {str(output)!r}; expected a name that ends in {' or '.join(SUFFIXES)}"
        )
    write(output, _draw(edges, output.suffix[1:]))


def _draw(edges: Mapping[str, Sequence[str]], file_format: str) -> bytes:
    try:
        nx, mpl, figures = map(importlib.import_module, ("networkx", "matplotlib", "matplotlib.figure"))
    except ModuleNotFoundError as error:
        raise CommandError(f"drawing needs {error.name}; pip install 'jaxtyping-core[plot]'") from error
    graph = nx.DiGraph(edges)
    positions = _positions([list(layer) for layer in nx.topological_generations(graph)])
    width, height = (max(values) - min(values) for values in zip(*positions.values(), strict=True))
    figure = figures.Figure(figsize=(1 + 0.8 * width, 1 + 0.8 * height))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.margins(0.5 / (1 + width), 0.5 / (1 + height))
    nx.draw_networkx(
        graph,
        positions,
        ax=axes,
        node_color=["white" if code.endswith("*") else "lightgray" for code in graph],
        edgecolors="gray",
        node_size=800,
        font_size=10,
    )
    buffer = io.BytesIO()
    date = {"Date": None} if file_format == "svg" else {}  # the same picture is the same file
    with mpl.rc_context({"svg.hashsalt": "jaxtyping-core"}):
        figure.savefig(buffer, format=file_format, dpi=150, metadata=date)
    return buffer.getvalue()


def _positions(layers: Sequence[Sequence[str]]) -> dict[str, tuple[float, float]]:
    """Places for the nodes: every layer to the right of those below it, and a lane for each kind."""
    integers = [
        x for x, layer in enumerate(layers) if any(code[0] in "ui" and code != "i*" for code in layer)
    ]
    complexes = [x for x, layer in enumerate(layers) if any(code[0] == "c" for code in layer)]
    apart = not (integers and complexes) or integers[-1] < complexes[0]
    lanes = {**LANES, "c": LANES["i"]} if apart else LANES
    places = {code: (float(x), _lane(code, lanes)) for x, layer in enumerate(layers) for code in layer}
    if len(set(places.values())) == len(places):
        return places
    return {  # several nodes would share a place: stack every layer instead
        code: (1.5 * x, y - (len(layer) - 1) / 2)
        for x, layer in enumerate(layers)
        for y, code in enumerate(sorted(layer, key=lambda code: _lane(code, lanes)))
    }


def _lane(code: str, lanes: Mapping[str, float]) -> float:
    return lanes.get(code, lanes[code[0]])
