"""Starts the real child without its wall, as on a system that isolates nothing."""

from __future__ import annotations

from pathlib import Path

from jaxtyping_core.evaluation import client

WITHOUT_WALL = """
import importlib, pathlib, runpy
child = pathlib.Path({child!r})
package = runpy.run_path(str(child / "__main__.py"))["declared"](child.parent)
serve = importlib.import_module(f"{{package}}.child.serve")
wall = importlib.import_module(f"{{package}}.wall")
serve.raise_wall = lambda packages: wall.Wall(wall.NONE, {reason!r})
if not {with_hook}:
    serve.audit.stand = lambda: None
serve.main()
"""
REASON = "an old kernel"


def write(file: Path, with_hook: bool = True) -> Path:
    """Write the script of such a child, which has the audit hook or not."""
    file.write_text(WITHOUT_WALL.format(child=str(client.CHILD), reason=REASON, with_hook=with_hook))
    return file
