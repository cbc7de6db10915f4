"""The user's own folders: where settings are that no project can change, and where answers are kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

NAME = "jaxtyping_core"
#: The variable that says where answers are kept.
CACHE_VARIABLE = "JAXTYPING_CORE_CACHE_DIR"
#: The name has the number of the format: another version of this package leaves the file alone.
ANSWERS = "answers-1.sqlite3"


def settings_file() -> Path | None:
    """The file with the user's settings, whether it exists or not; None if the user has no home folder."""
    if sys.platform == "win32":
        folder = _absolute(os.environ.get("APPDATA"))
    elif sys.platform == "darwin":
        folder = _in_home("Library", "Application Support")
    else:
        folder = _absolute(os.environ.get("XDG_CONFIG_HOME")) or _in_home(".config")
    return None if folder is None else folder / NAME / "config.toml"


def cache_folder() -> Path | None:
    """The folder for what is kept from one run to the next; None if nothing is to be kept.

    A value of `CACHE_VARIABLE` that is no absolute path switches it off: a relative one would mean a folder of whichever
    project is checked.
    """
    named = os.environ.get(CACHE_VARIABLE)
    if named is not None:
        return None if named == os.devnull else _absolute(named)
    if sys.platform == "win32":
        folder = _absolute(os.environ.get("LOCALAPPDATA"))
    elif sys.platform == "darwin":
        folder = _in_home("Library", "Caches")
    else:
        folder = _absolute(os.environ.get("XDG_CACHE_HOME")) or _in_home(".cache")
    return None if folder is None else folder / NAME


def answers_file() -> Path | None:
    """The file of the answers of JAX; None if none are to be kept."""
    folder = cache_folder()
    return None if folder is None else folder / ANSWERS


def _absolute(path: str | None) -> Path | None:
    """A folder that a variable names. As the standard for these variables has it, a relative path does not count."""
    return Path(path) if path and Path(path).is_absolute() else None


def _in_home(*parts: str) -> Path | None:
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home.joinpath(*parts) if home.is_absolute() else None
