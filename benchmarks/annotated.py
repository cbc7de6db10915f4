"""What dims in annotations cost under the plugin.

The program is the annotated ones of the tests, some 4,500 lines, once as they are and once with ``Array`` in place of
``Float[Array, "b n"]``. Times are CPU seconds of mypy and of its children, from a cache that has JAX in it but no answers;
the two sides run in turns, and the least of the rounds counts.

    python benchmarks/annotated.py
"""

from __future__ import annotations

import argparse
import ast
import shutil
import sys
import tempfile
from pathlib import Path

from plugin_cost import inherit, run

from jaxtyping_core.contracts.dtype_names import DTYPE_NAMES

PROGRAMS = Path(__file__).parents[1] / "tests" / "annotated" / "programs"
#: The ratio that should not be exceeded.
MOST = 1.3


class WithoutDims(ast.NodeTransformer):
    """Puts ``Array`` in the place of ``Float[Array, "b n"]``."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        name = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
        is_text = isinstance(node.slice, ast.Tuple) and isinstance(
            node.slice.elts[-1], (ast.Constant, ast.JoinedStr)
        )
        if name in DTYPE_NAMES and isinstance(node.slice, ast.Tuple) and is_text:
            return node.slice.elts[0]
        return node


def write(folder: Path, *, dims: bool) -> None:
    """Write the programs as the modules of one package."""
    (folder / "programs").mkdir(parents=True)
    (folder / "programs" / "__init__.py").touch()
    for file in sorted(PROGRAMS.glob("*.py")):
        tree = ast.parse(file.read_text())
        text = ast.unparse(tree if dims else WithoutDims().visit(tree))
        (folder / "programs" / file.name).write_text(text)


def cost(rounds: int) -> None:
    """Print what dims cost."""
    with tempfile.TemporaryDirectory() as name:
        sides = {dims: Path(name) / str(dims) for dims in (True, False)}
        least = dict.fromkeys(sides, float("inf"))
        for dims, folder in sides.items():
            write(folder, dims=dims)
            (folder / "head.py").write_text("import jax\nimport equinox\nimport flax\nimport optax\n")
            run(folder, Path(sys.executable), "head.py", plugin=True)
            shutil.copytree(folder / ".mypy_cache", folder / "kept")
        for _ in range(rounds):
            for dims, folder in sides.items():
                shutil.rmtree(folder / ".mypy_cache")
                shutil.copytree(folder / "kept", folder / ".mypy_cache")
                shutil.rmtree(folder / "answers", ignore_errors=True)
                least[dims] = min(
                    least[dims], run(folder, Path(sys.executable), "programs", plugin=True).seconds
                )
    ratio = least[True] / least[False]
    print(f"with dims {least[True]:.1f} s, without {least[False]:.1f} s: {ratio:.2f} times (at most {MOST})")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    inherit()
    cost(options.rounds)


if __name__ == "__main__":
    main()
