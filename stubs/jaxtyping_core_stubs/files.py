"""Generated files: compare them with the disk, or write them."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def differences(files: dict[Path, str], folders: list[Path]) -> list[str]:
    """What is wrong with the files on disk: changed, missing, or not generated (in `folders`)."""
    wrong = [
        f"{path}: {'differs' if path.exists() else 'is missing'}"
        for path, text in files.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    return wrong + [f"{path}: is not generated" for path in _strays(files, folders)]


def write(files: dict[Path, str], folders: list[Path]) -> None:
    """Write `files`, each in one step, and remove what is left in `folders` from an earlier run."""
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(name).chmod(0o644)  # mkstemp keeps others out
        Path(name).replace(path)
    for path in _strays(files, folders):
        path.unlink()


def _strays(files: dict[Path, str], folders: list[Path]) -> list[Path]:
    return sorted(
        path for folder in folders for path in folder.rglob("*") if path.is_file() and path not in files
    )
