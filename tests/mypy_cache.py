"""Caches of mypy that begin with what it says of the stubs of JAX and NumPy, which takes it longer than most programs."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import shared
from jaxtyping_core.checking.configuration import UNCONFIGURED

PLUGIN = "jaxtyping_core.mypy"
#: What ``jaxtyping-core check`` tells mypy where nobody has configured it.
OF_CHECK = "".join(f"{key} = {value}\n" for key, value in UNCONFIGURED.items())
#: What mypy finds in a cache that has begun.
PROGRAM = "import jax\nimport jax.numpy as jnp\nimport numpy as np\nfrom jaxtyping_core.typing import *\n"


def begin(cache: Path, *options: str, config: str = "", plugin: bool = True) -> Path:
    """The folder `cache`, filled if it is not there yet, with the stubs under these settings.

    mypy itself looks whether it may use what it finds in a cache; other settings only make it slower.

    Args:
        cache: for ``--cache-dir``.
        options: those of the command line that will be given with it, as far as they matter to caches.
        config: further lines of the configuration file.
        plugin: whether it is mypy with the plugin.
    """
    text = f"[mypy]\n{f'plugins = {PLUGIN}' if plugin else ''}\n{config}"
    name = hashlib.sha256("\n".join((*options, text)).encode()).hexdigest()[:16]

    def make(folder: Path) -> None:
        (folder / "mypy.ini").write_text(text, encoding="utf-8")
        (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
        command = [sys.executable, "-P", "-m", "mypy", "--cache-dir=cache", *options, "program.py"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stdout + done.stderr

    if not cache.exists():
        shutil.copytree(shared.folder(f"mypy_{name}", make) / "cache", cache)
    return cache


def with_answers_in(folder: Path) -> dict[str, str]:
    """The variables of a process that keeps answers in a folder, where it finds those alone that it has put there."""
    return {**os.environ, "JAXTYPING_CORE_CACHE_DIR": str(folder.absolute())}
