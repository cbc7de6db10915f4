"""Runs mypy with the plugin, and reads what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import mypy_cache

MESSAGE = re.compile(r"^(?P<file>[^:]+):(?P<line>\d+): (?P<kind>error|note): (?P<text>.*)$")
#: The modules that mypy spells out in revealed types and no user wants to read.
MODULES = ("jax._src.basearray.", "jax._src.numpy.scalar_types.", "builtins.")

Messages = dict[str, dict[int, list[str]]]
CACHE = ".mypy_cache"


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
    (folder / "mypy.ini").write_text(f"[mypy]\nplugins = {mypy_cache.PLUGIN}\n{config}")
    mypy_cache.begin(folder / CACHE, config=config)
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
