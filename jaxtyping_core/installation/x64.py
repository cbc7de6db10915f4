"""Whether the programs of a project have 64-bit types, and what says so."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from jaxtyping_core import settings
from jaxtyping_core.checking.configuration import config_here
from jaxtyping_core.errors import CommandError, SettingsError
from jaxtyping_core.programs.files import files_below
from jaxtyping_core.programs.imports import OF_ARRAYS
from jaxtyping_core.programs.sources import UNREADABLE, decoded
from jaxtyping_core.programs.x64 import MOST_FILES, MOST_FOLDERS, Switches, word_in
from jaxtyping_core.settings import X64_VARIABLE

#: How many files or statements a line names.
MOST_NAMES = 3


class Project(NamedTuple):
    """Which modules of a project have 64-bit types."""

    #: The modules that use arrays and have them, and those that do not.
    on: list[str]
    off: list[str]
    #: The statements that switch them on, and those that switch them off.
    switching_on: list[str]
    switching_off: list[str]
    #: What holds for programs that say nothing, and what says so; None if nothing does.
    configured: bool
    configured_by: str | None

    @property
    def is_on(self) -> bool:
        """Whether any of it has them."""
        return bool(self.on) or (self.configured and not self.off)

    @property
    def differs(self) -> bool:
        """Whether a part of it has them."""
        return bool(self.on and self.off)

    @property
    def source(self) -> str | None:
        """What switches them on, or off where they are off everywhere."""
        statements = self.switching_on if self.is_on else self.switching_off
        return names(statements) if statements else self.configured_by


def look(folder: Path) -> Project | None:
    """What holds for the project in a folder; None if its settings cannot be read, or it is too large to look at.

    Its files are read, and nothing of them is run.
    """
    try:
        config = config_here()
        said, configured = settings.read(folder, config), settings.load(folder, config)
        files = [*itertools.islice(files_below(folder, MOST_FOLDERS), MOST_FILES + 1)]
    except (CommandError, SettingsError):
        return None
    if len(files) > MOST_FILES:
        return None
    texts = {file: text for file in files if (text := _text(file)) is not None}
    switches = Switches(texts, configured.x64, configured.trusted)
    result = Project([], [], [], [], configured.x64, _configured_by(said))
    for file, text in texts.items():
        name = os.path.relpath(file, folder)
        if OF_ARRAYS.search(text):
            (result.on if switches.of(str(file)) else result.off).append(name)
        if word := word_in(text):
            (result.switching_on if word.is_on else result.switching_off).append(f"{name}:{word.line}")
    return result


def names(listed: Sequence[str]) -> str:
    """Some of them, and how many others there are."""
    more = len(listed) - MOST_NAMES
    first = [*listed[:MOST_NAMES], *([f"{more} more"] if more > 0 else [])]
    return " and ".join(filter(None, [", ".join(first[:-1]), first[-1]]))


def _text(file: Path) -> str | None:
    try:
        return decoded(file)
    except UNREADABLE:
        return None


def _configured_by(said: settings.Said | None) -> str | None:
    """What decides for programs that say nothing."""
    if said is not None and "x64" in said.values:
        return f"the setting x64 of {said.file.name}"
    return f"the environment variable {X64_VARIABLE}" if X64_VARIABLE in os.environ else None
