"""How long an editor waits: hover and completion with our stubs, relative to stock JAX.

python benchmarks/editor.py
"""

from __future__ import annotations

import argparse
import itertools
import platform
import shutil
import statistics
import sys
import sysconfig
import tempfile
import time
import venv
from collections.abc import Iterator
from pathlib import Path

from language_server import CURSOR, Document, LanguageServer

SERVERS = ("pyright", "basedpyright")
#: A function of the program; both sides type all of it.
FUNCTION = """
def layer{n}(x: jax.Array, w: jax.Array, mask: jax.Array) -> jax.Array:
    h = jnp.tanh(x @ w) * 0.5 + x
    scores = h @ h.swapaxes(-1, -2) / jnp.sqrt(2.0)
    scores = jnp.where(mask, scores, -1e9)
    a = jax.nn.softmax(scores, axis=-1)
    total = jnp.sum(a * scores) + jnp.mean(h)
    z = jnp.concatenate([h, h], axis=-1)[..., :4] * total
    return z.astype(jnp.float32)
"""
HEAD = "import jax\nimport jax.numpy as jnp\n"
#: Lines that end where an editor would ask.
HOVERS = (
    "    h = jnp.tanh",
    "    scores = h @ h.swap",
    "    a = jax.nn.soft",
    "    total",
    "    z = jnp.concat",
    "    return z",
)
COMPLETIONS = ("    h = jnp.", "    scores = h @ h.", "    a = jax.nn.", "    return z.")


def ask(server: LanguageServer, functions: int, visits: int) -> Iterator[tuple[str, float]]:
    """The kind of each request, and the seconds that it took."""
    text = HEAD + "".join(FUNCTION.format(n=n) for n in range(functions))
    for kind, places in (("hover", HOVERS), ("completion", COMPLETIONS)):
        for visit, place in itertools.product(range(visits), places):
            at = text.rindex(place) + len(place)
            # A new document for each request: an answer from the server's cache is no measurement.
            name = f"{kind}{visit}_{places.index(place)}.py"
            start = time.perf_counter()
            document = server.open(name, text[:at] + CURSOR + text[at:])
            yield "errors of the opened file", time.perf_counter() - start
            seconds = _seconds(server, kind, document)
            server.close(document)
            yield kind, seconds
            if not visit:
                yield f"{kind}, first in the session", seconds


def _seconds(server: LanguageServer, kind: str, document: Document) -> float:
    start = time.perf_counter()
    answer = server.hover(document) if kind == "hover" else server.completions(document)
    seconds = time.perf_counter() - start
    if not answer:
        sys.exit(f"no answer to {kind} at {document}")
    return seconds


def stock_python(folder: Path) -> Path:
    """An environment with everything that is installed here except this project."""
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/*/site-packages")
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if entry.suffix != ".pth" and not entry.name.startswith(("jaxtyping_core", "jax-stubs")):
            (site / entry.name).symlink_to(entry)
    return folder / "bin" / "python"


def measure(name: str, command: str, folder: Path, rounds: int, functions: int, visits: int) -> None:
    """Print the rows of one server: medians over all requests."""
    pythons = {"stock": stock_python(folder / "stock"), "ours": Path(sys.executable)}
    times: dict[tuple[str, str], list[float]] = {}
    for round_ in range(rounds):  # in turns: a busy machine slows both
        for side, python in pythons.items():
            project = folder / f"{side}{round_}"
            project.mkdir()
            (project / "pyrightconfig.json").write_text("{}")
            with LanguageServer(command, project, str(python)) as server:
                for kind, seconds in ask(server, functions, visits):
                    times.setdefault((side, kind), []).append(seconds)
    for kind in dict.fromkeys(kind for _, kind in times):
        stock, ours = (1000 * statistics.median(times[side, kind]) for side in ("stock", "ours"))
        print(f"| {name} | {kind} | {stock:.1f} | {ours:.1f} | {ours / stock:.2f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="how often each server is started")
    parser.add_argument("--functions", type=int, default=20, help="the size of the program")
    parser.add_argument("--visits", type=int, default=4, help="how often each place is asked about")
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, medians in milliseconds\n")
    print("| server | request | stock | ours | ratio |\n|---|---|--:|--:|--:|")
    for name in SERVERS:
        command = shutil.which(f"{name}-langserver", path=str(Path(sys.executable).parent))
        if command:
            with tempfile.TemporaryDirectory(prefix="editor-") as folder:
                measure(name, command, Path(folder), arguments.rounds, arguments.functions, arguments.visits)


if __name__ == "__main__":
    main()
