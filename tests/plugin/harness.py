"""Runs mypy with the plugin, and reads what it says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import shared

MESSAGE = re.compile(r"^(?P<file>[^:]+):(?P<line>\d+): (?P<kind>error|note): (?P<text>.*)$")
#: The modules that mypy spells out in revealed types and no user wants to read.
MODULES = ("jax._src.basearray.", "jax._src.numpy.scalar_types.", "builtins.")

Messages = dict[str, dict[int, list[str]]]
PLUGIN = "jaxtyping_core.mypy"
#: mypy's cache, and the file in it that holds what was evaluated.
CACHE, ANSWERS = ".mypy_cache", "jaxtyping_core.sqlite3"


def cache_of_stubs() -> Path:
    """A cache in which mypy finds the stubs of JAX and NumPy, and nothing that was evaluated: only to save time."""

    def make(folder: Path) -> None:
        (folder / CACHE).mkdir()  # which is not copied to itself
        run_mypy({"stubs": "import jax\nimport jax.numpy as jnp\nimport numpy as np\n"}, folder)
        for file in (folder / CACHE).rglob(f"{ANSWERS}*"):
            file.unlink()

    return shared.folder("cache_of_stubs", make) / CACHE


def run_mypy(
    programs: Mapping[str, str],
    folder: Path,
    config: str = "",
    *options: str,
    start: Sequence[str] = ("-m", "mypy"),
) -> Messages:
    """mypy's messages about `programs` (module name to source), by module and line, as "E: ..." and "N: ...".

    `start` is what Python runs as mypy.
    """
    for name, source in programs.items():
        (folder / f"{name}.py").write_text(source)
    (folder / "mypy.ini").write_text(f"[mypy]\nplugins = {PLUGIN}\n{config}")
    if not (folder / CACHE).exists():
        shutil.copytree(cache_of_stubs(), folder / CACHE)
    files = [f"{name}.py" for name in programs]
    command = [
        sys.executable,
        "-P",
        *start,
        "--no-error-summary",
        "--hide-error-context",
        *options,
        *files,
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    messages: Messages = defaultdict(partial(defaultdict, list))
    for line in done.stdout.splitlines():
        match = MESSAGE.match(line)
        assert match, f"mypy said something unexpected: {line}"
        text = match["text"]
        for module in MODULES:
            text = text.replace(module, "")
        messages[Path(match["file"]).stem][int(match["line"])].append(f"{match['kind'][0].upper()}: {text}")
    return messages
