"""What isolating the evaluation costs: the start of a child, and a call, with the wall and without.

    python benchmarks/isolation.py [ROUNDS]

Both kinds of children run in turn. Times are processor seconds of the child; the least of all rounds is shown, which load changes least.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from jaxtyping_core.domain.values import Array
from jaxtyping_core.evaluation import client
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.process import processor_seconds
from jaxtyping_core.evaluation.protocol import request
from jaxtyping_core.settings import Settings

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
write_child: Callable[..., Path] = importlib.import_module("without_wall").write

ROUNDS, CALLS = 12, 300


def measured(script: Path) -> tuple[float, float]:
    """The milliseconds that a child takes to start, and the microseconds of a call."""
    client.CHILD = script
    child = Evaluator(sys.executable, packages=tuple(Settings().trusted))
    child.wall()
    assert child._child is not None
    start = processor_seconds(child._child.pid) or 0.0
    for size in range(1, CALLS + 1):
        array = Array.of("float32", False, (size, 3))
        child.ask(request("jax.numpy.sum", [array], {}, x64=False, promotion="standard"))
    end = processor_seconds(child._child.pid) or 0.0
    child.close()
    return 1e3 * start, 1e6 * (end - start) / CALLS


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    real = client.CHILD
    with tempfile.TemporaryDirectory() as folder:
        without = Path(folder)  # a folder, as the real child is: Python takes longer to run one
        write_child(without / "__main__.py", with_hook=False)
        for script in (real, without):  # compiles what is imported
            measured(script)
        pairs = [(measured(real), measured(without)) for _ in range(rounds)]
    for i, (what, unit) in enumerate((("start", "ms"), ("call", "us"))):
        ours = min(pair[0][i] for pair in pairs)
        others = min(pair[1][i] for pair in pairs)
        print(
            f"{what}: {ours:.0f} {unit} with the wall, {others:.0f} {unit} without, ratio {ours / others:.3f}"
        )


if __name__ == "__main__":
    main()
