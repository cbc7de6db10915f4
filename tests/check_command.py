"""What the tests of ``jaxtyping-core check`` share."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

Check = Callable[..., subprocess.CompletedProcess[str]]
Environment = Callable[..., dict[str, str]]

#: The installed command: ``python -m`` would put the current folder on the path.
COMMAND = Path(sys.executable).with_name("jaxtyping-core")

CLEAN = "import jax.numpy as jnp\nx = jnp.zeros((3, 4)) @ jnp.ones((4, 5))\n"


def write(folder: Path, **files: str) -> None:
    """Write modules."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)


def assert_refused(done: subprocess.CompletedProcess[str], *parts: str) -> None:
    """One line on standard error says these things, and the exit status is 2."""
    assert done.returncode == 2, done.stdout
    assert done.stderr.count("\n") == 1, done.stderr
    assert all(part in done.stderr for part in parts), done.stderr
    assert "/jaxtyping-core-" not in done.stdout + done.stderr  # our copy of the configuration
