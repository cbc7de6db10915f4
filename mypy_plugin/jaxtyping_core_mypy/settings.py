"""The settings of the project that mypy checks."""

from __future__ import annotations

from pathlib import Path

from mypy.errors import CompileError

from jaxtyping_core import settings
from jaxtyping_core.errors import SettingsError
from jaxtyping_core.settings import Settings as Settings


def load(folder: Path, config_file: Path | None = None) -> Settings:
    """The settings of the project that `folder` belongs to, as `jaxtyping_core.settings` finds them.

    Raises:
        CompileError: something is wrong with them; mypy prints what, and exits with status 2.
    """
    try:
        return settings.load(folder, config_file)
    except SettingsError as error:
        raise CompileError([str(error)]) from None
