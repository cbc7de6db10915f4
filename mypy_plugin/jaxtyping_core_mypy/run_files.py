"""The files that a run of mypy checks, which mypy does not tell its plugins, and whether it checks all functions in them."""

from __future__ import annotations

import contextlib
import itertools
import sys
from pathlib import Path

from mypy.options import Options

from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.files import files_below

#: Folders and files that are looked through.
MOST_FOLDERS, MOST_FILES = 500, 1000


def of(options: Options) -> list[Path]:
    """The files of the run that begins with these options."""
    arguments = [Path(argument) for argument in sys.argv[1:] if not argument.startswith("-")]
    named = [path for path in arguments if path.suffix == ".py" or path.is_dir()]
    files: list[Path] = []
    for path in named or [Path(name) for name in options.files or ["."]]:
        if not path.is_dir():
            files.append(path)
            continue
        with contextlib.suppress(CommandError):
            files += itertools.islice(files_below(path, MOST_FOLDERS), MOST_FILES)
    return [path for path in files if path.is_file()]


def checks_all(options: Options) -> bool:
    """Whether a run checks the bodies of functions without annotations, in some module at least."""
    of_modules = options.per_module_options.values()
    return options.check_untyped_defs or any(each.get("check_untyped_defs") for each in of_modules)
