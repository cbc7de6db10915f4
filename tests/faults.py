"""Puts faults into a copy of the project, one after the other, and shows that the tests notice each: ``python tests/faults.py [WORD]``.

`faults.toml` has them. With a word, only those are tried whose names have it. Exits with 1 if a fault goes unnoticed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FAULTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["fault"]
#: What is not copied: environments, caches, and what was built.
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv*", ".*_cache", "__pycache__", "node_modules", "build", "dist"
)
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


def main() -> int:
    """Try the faults; the exit status."""
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    unnoticed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "project")
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        python = environment(copy)
        for fault in FAULTS:
            if word in fault["name"]:
                noticed = tried(fault, copy, python)
                unnoticed += noticed is None
                print(f"{fault['name']}: {noticed or 'NOT NOTICED'}", flush=True)
    return int(bool(unnoticed))


def environment(copy: Path) -> Path:
    """The interpreter of a copy of this environment, in which the copy of the project is installed."""
    made = copy / ".venv"
    shutil.copytree(sys.prefix, made, symlinks=True, copy_function=os.link)
    for pattern in ("bin/*", "pyvenv.cfg", "lib/python*/site-packages/*.pth"):
        for file in made.glob(pattern):
            if file.is_symlink() or b"\0" in (content := file.read_bytes()):
                continue
            mode = file.stat().st_mode
            file.unlink()  # the other link is the original
            file.write_bytes(content.replace(os.fsencode(ROOT), os.fsencode(copy)))
            file.chmod(mode)
    return made / "bin" / "python"


def tried(fault: dict[str, Any], copy: Path, python: Path) -> str | None:
    """The first test that fails with a fault in the copy; None if there is none.

    Raises:
        ValueError: the file has not, or not only once, what the fault replaces.
    """
    file = copy / fault["file"]
    text = file.read_text(encoding="utf-8")
    if text.count(fault["old"]) != 1:
        raise ValueError(
            f"{fault['name']}: {fault['file']} has {fault['old']!r} {text.count(fault['old'])} times"
        )
    file.write_text(text.replace(fault["old"], fault["new"]), encoding="utf-8")
    try:
        done = subprocess.run(
            [python, "-P", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *fault["tests"]],
            cwd=copy,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        file.write_text(text, encoding="utf-8")
    failed = FAILED.search(done.stdout)
    return failed[1] if failed and done.returncode == 1 else None


if __name__ == "__main__":
    sys.exit(main())
