"""The nursery of the commands and of mypy: ``python -P commands.py ADDRESS NURSERIES``."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import runpy
import sys
from pathlib import Path
from typing import Any

from mypy.errors import CompileError
from typer.testing import CliRunner

TESTS = str(Path(__file__).parents[1])
sys.path.append(TESTS)
import forking
from forking import homes, layers
from forking.nursery import serve

sys.path.remove(TESTS)  # where no command finds modules

#: What they import, whatever they are asked.
MODULES = (
    "jaxtyping_core.cli.app",
    "jaxtyping_core.mypy",
    "jaxtyping_core.programs.evaluate",
    "jaxtyping_core_mypy.inferred",
    "mypy.main",
)
#: A command that has no effect: what libraries import for their first command is imported with it.
HARMLESS = ("promote", "int8", "float32")


def run(arguments: list[str]) -> None:
    """Run the command line, or a module as ``python -m`` does."""
    if arguments[0] == homes.COMMAND:
        importlib.import_module("jaxtyping_core.cli").main()
    else:
        if arguments[0] == "mypy":
            layers.begin(arguments[1:])
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)


def _begin_caches_of_builds() -> None:
    """Have what mypy's other user in a process of its own finds begin with a layer as well."""
    from jaxtyping_core_mypy import builds

    read = builds.process_options

    def read_and_begin(*arguments: Any, **others: Any) -> Any:
        targets, options = read(*arguments, **others)
        with contextlib.suppress(CompileError):
            layers.begin_with(options)
        return targets, options

    builds.process_options = read_and_begin  # type: ignore[assignment]  # it has the same parameters


def main() -> None:
    """Import what commands import, and fork."""
    for module in MODULES:
        importlib.import_module(module)
    CliRunner().invoke(importlib.import_module("jaxtyping_core.cli.app").app, HARMLESS)
    _begin_caches_of_builds()
    address, others = sys.argv[1:]
    homes.know({**json.loads(others), "commands": (address, homes.early(os.environ))})
    forking.install()
    serve(address, run)


if __name__ == "__main__":
    main()
